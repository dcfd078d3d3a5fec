import Ledger
public import Storage
import Synchronization
public import Timekeeping

/// How full the ledger is, read so that it costs little however full it is.
///
/// Deliveries are counted a slice at a time, one slice for each call. A small ledger is counted
/// anew by each call; where there are ten million rows, a hundred calls make a count.
public final class StoreFigures: Sendable {
    /// The most rows that one call looks at.
    public static let sliceRowsMax: Int64 = 100_000

    /// How full the ledger is.
    public struct Reading: Sendable {
        /// How many deliveries of each channel stand in each state; `nil` until all were counted
        /// for the first time.
        public let counts: [DeliveryCount]?
        /// When the last count was complete.
        public let countedAt: Moment?
        /// How long the oldest delivery that waits has been due, in milliseconds.
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

    /// Reads this store; only one call at a time.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - clock: tells how late what waits is.
    ///   - sliceRowsMax: the most rows that one call looks at.
    public init(
        store: Store, clock: any WallClock, sliceRowsMax: Int64 = StoreFigures.sliceRowsMax
    ) {
        self.store = store
        self.clock = clock
        self.sliceRowsMax = sliceRowsMax
    }

    /// Counts a slice, and tells what is known.
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
