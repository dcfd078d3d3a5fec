import Agenda
import Foundation
import Ledger
public import Logging
public import Planning
public import Sinks
import Storage
import Synchronization
public import Timekeeping

/// Takes what is due from the ledger, sends it, and records how that went.
///
/// The order of the steps is the promise: letters are read and the intent to send them is made
/// durable in one transaction, then each is written out and sent, and what came of it is made
/// durable after. Whatever dies in between leaves an attempt without an outcome, which is visible
/// and is resolved by the next engine that gets the home.
///
/// Each destination has a lane of its own (``DestinationQueue``), so that a sick one harms no other. What is
/// done next is decided in ``DispatchState``; here it is done.
public final class DeliveryEngine: Sendable {
    /// The most deliveries that are looked at together.
    public static let batchRowsMax = 1000
    /// The most deliveries that are held in the wheel; the rest waits in the store.
    public static let pendingRowsMax = 100_000
    /// How far ahead the wheel looks, in milliseconds.
    public static let horizonMilliseconds: Int64 = 3_600_000
    /// How often the store is looked at unasked, in milliseconds.
    public static let sweepMilliseconds: Int64 = 60_000
    /// The most outcomes that are folded together while deliveries may fall due.
    static let idleFoldRowsMax = 100
    /// The most deliveries that one round of ``runOnce()`` takes up.
    static let onceRowsMax = 20_000
    /// The most entries of the list of addresses that end together.
    static let endedEntriesMax = 100
    /// How long more outcomes are waited for after some were recorded, in milliseconds: about as
    /// long as a record takes.
    public static let recordRestMillisecondsUsual: Int64 = 5
    /// The waits before what was sent is recorded again after the store refused, in seconds.
    static let recordPausesSeconds: [Int64] = [1, 2, 4]

    /// What the configuration decides, and a new configuration replaces.
    public struct Parts: Sendable {
        let sinks: [String: any Sink]
        fileprivate(set) var writer: MessageRenderer
        /// Rises with each new configuration.
        fileprivate(set) var number = 0

        /// Delivers through these sinks what this writer writes.
        public init(sinks: [any Sink], writer: MessageRenderer) {
            self.sinks = Dictionary(
                sinks.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            self.writer = writer
        }
    }

    let store: Store
    let planner: Mutex<Planner>
    let parts: Mutex<Parts>
    let clock: any WallClock
    /// The machine's clock, for pauses: the other one may stand still.
    let waitClock: any WallClock
    let chance: Chance
    let logger: Logger
    /// The clocks of the machine; nobody looks whether they were set without it.
    let gauge: (any ClockGauge)?
    /// What runs, to be told of a new configuration.
    let dispatch = Mutex<SharedDispatch?>(nil)
    /// What others see of it.
    public let monitor: EngineMonitor
    /// The number under which this engine sends.
    private let worker = Mutex<Int64?>(nil)
    let recordRestMilliseconds: Int64

    /// Makes an engine; only one may work on a home at a time.
    ///
    /// - Parameters:
    ///   - planner: plans anew what did not arrive.
    ///   - parts: what sends, and what writes.
    ///   - clock: says what is due.
    ///   - waitClock: the machine's clock, for pauses.
    ///   - chance: for identities and jitter.
    ///   - logger: where it tells what it does.
    ///   - monitor: what others see of it.
    ///   - gauge: the clocks of the machine, to notice when they are set.
    ///   - recordRestMilliseconds: how long more outcomes are waited for after some were recorded,
    ///     while more are to come; 0 for not at all.
    public init(
        planner: Planner, parts: Parts, clock: any WallClock, waitClock: any WallClock,
        chance: Chance, logger: Logger, monitor: EngineMonitor = EngineMonitor(),
        gauge: (any ClockGauge)? = nil,
        recordRestMilliseconds: Int64 = DeliveryEngine.recordRestMillisecondsUsual
    ) {
        self.recordRestMilliseconds = recordRestMilliseconds
        store = planner.store
        self.planner = Mutex(planner)
        self.parts = Mutex(parts)
        self.clock = clock
        self.waitClock = waitClock
        self.chance = chance
        self.logger = logger
        self.monitor = monitor
        self.gauge = gauge
    }

    /// Delivers by other parts, and plans by another configuration, from the next delivery on.
    public func use(_ parts: Parts, planner: Planner) {
        self.parts.withLock { old in
            let number = old.number + 1
            old = parts
            old.number = number
        }
        self.planner.withLock { $0 = planner }
        dispatch.withLock(\.self)?.wakes.wake()
    }

    /// Writes and plans by other rules of time zones from the next delivery on. What sends stays
    /// as it is, and so does what was learnt of destinations.
    public func use(rulesOf parts: Parts, planner: Planner) {
        self.parts.withLock { $0.writer = parts.writer }
        self.planner.withLock { $0 = planner }
    }

    /// What plans anew what did not arrive.
    public var planning: Planner { planner.withLock { $0 } }

    /// The number under which this engine sends, given by the store the first time.
    func workerNumber() async throws -> Int64 {
        if let number = worker.withLock({ $0 }) { return number }
        let name = "process \(ProcessInfo.processInfo.processIdentifier)"
        let number = try await store.takeOnWorker(named: name, now: clock.now)
        worker.withLock { $0 = number }
        return number
    }
}
