import Ledger
public import Storage
import Synchronization
public import Timekeeping

/// The size of the ledger by state and channel, at a bounded cost per read.
///
/// Deliveries are counted in slices, one slice for each call. A small ledger is counted completely
/// by each call; with ten million rows, a complete count takes a hundred calls.
public final class StoreFigures: Sendable {
    /// The most rows that one call reads.
    public static let sliceRowsMax: Int64 = 100_000

    /// The result of a read.
    public struct Reading: Sendable {
        /// The number of deliveries for each state and channel; `nil` until the first complete
        /// count.
        public let counts: [DeliveryCount]?
        /// The time of the last complete count.
        public let countedAt: Moment?
        /// The time since the oldest waiting delivery fell due, in milliseconds.
        public let oldestDueMilliseconds: Int64
    }

    private struct Key: Hashable {
        let state: DeliveryState
        let channel: String
    }

    private struct State {
        var sum: [Key: Int] = [:]
        var last: Int64 = 0
        var counts: [DeliveryCount]?
        var countedAt: Moment?

        mutating func add(_ slice: DeliveryCensus, now: Moment) {
            for part in slice.counts {
                sum[Key(state: part.state, channel: part.channel), default: 0] += part.count
            }
            guard let next = slice.next else {
                counts = sum.map {
                    DeliveryCount(state: $0.key.state, channel: $0.key.channel, count: $0.value)
                }.sorted { ($0.state.rawValue, $0.channel) < ($1.state.rawValue, $1.channel) }
                countedAt = now
                sum = [:]
                return last = 0
            }
            last = next
        }
    }

    private let store: Store
    private let clock: any WallClock
    private let sliceRowsMax: Int64
    private let state = Mutex(State())

    /// Reads this store. Only one call may run at a time.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - clock: the clock, to tell how late waiting deliveries are.
    ///   - sliceRowsMax: the most rows that one call reads.
    public init(
        store: Store, clock: any WallClock, sliceRowsMax: Int64 = StoreFigures.sliceRowsMax
    ) {
        self.store = store
        self.clock = clock
        self.sliceRowsMax = sliceRowsMax
    }

    /// Counts the next slice, and returns the latest figures.
    ///
    /// - Throws: ``StoreError``.
    public func read() async throws -> Reading {
        let slice = try await store.countDeliveries(
            after: state.withLock(\.last), rowsMax: sliceRowsMax)
        let due = try await store.nextDue()
        let now = clock.now
        return state.withLock { state in
            state.add(slice, now: now)
            return Reading(
                counts: state.counts, countedAt: state.countedAt,
                oldestDueMilliseconds: max(0, due.map { now.milliseconds(since: $0) } ?? 0))
        }
    }
}
