import Agenda
import Foundation
import Ledger
public import Logging
public import Planning
public import Sinks
import Storage
import Synchronization
public import Timekeeping

/// Takes due deliveries from the ledger, sends them, and records the outcomes.
///
/// The order of the steps is what guarantees delivery. One transaction reads the deliveries and
/// durably records the intent to send them. Then each is rendered and sent. The outcome is made
/// durable last. A crash in between leaves an attempt without an outcome, which is visible and is
/// resolved by the next engine that takes over the installation.
///
/// Each destination has its own queue (``DestinationQueue``), so that a failing destination delays
/// no other. ``DispatchState`` decides what is done next; the engine does it.
public final class DeliveryEngine: Sendable {
    /// The most deliveries that are handled together.
    public static let batchRowsMax = 1000
    /// The most deliveries that are held in the timer wheel; the rest stays in the store.
    public static let pendingRowsMax = 100_000
    /// The span of time that is loaded into the timer wheel, in milliseconds.
    public static let horizonMilliseconds: Int64 = 3_600_000
    /// The interval at which the store is read without a notice of changes, in milliseconds.
    public static let sweepMilliseconds: Int64 = 60_000
    /// The most outcomes that are folded together while deliveries may fall due.
    static let idleFoldRowsMax = 100
    /// The most deliveries that one pass of ``runOnce()`` reads.
    static let onceRowsMax = 20_000
    /// The most suppressions that are ended in one transaction.
    static let endedEntriesMax = 100
    /// The time to wait for more outcomes after some were recorded, in milliseconds: about as long
    /// as one write takes.
    public static let recordRestMillisecondsUsual: Int64 = 5
    /// The waits before outcomes are recorded again after the store reported an error, in seconds.
    static let recordPausesSeconds: [Int64] = [1, 2, 4]

    /// The parts of the engine that depend on the configuration. A new configuration replaces them.
    public struct Parts: Sendable {
        let sinks: [String: any Sink]
        fileprivate(set) var writer: MessageRenderer
        /// The version of the configuration; it rises with each new one.
        fileprivate(set) var number = 0

        /// Delivers through these sinks the messages that this renderer writes.
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
    /// The machine's clock, for pauses: `clock` may be a fixed time.
    let waitClock: any WallClock
    let chance: Chance
    let logger: Logger
    /// The clocks of the machine; without it, clock changes are not detected.
    let gauge: (any ClockGauge)?
    /// The current run, to be woken by a new configuration.
    let dispatch = Mutex<SharedDispatch?>(nil)
    /// Metrics and liveness, for others to read.
    public let monitor: EngineMonitor
    /// The worker number under which this engine sends.
    private let worker = Mutex<Int64?>(nil)
    /// The deliveries that this engine has handed to sinks.
    private let marks = Mutex<SendingMarks?>(nil)
    /// The deliveries that the worker before had handed to sinks when it ended.
    private let traceBefore = Mutex<SendingTrace?>(nil)
    let recordRestMilliseconds: Int64

    /// Creates an engine; only one may work on an installation at a time.
    ///
    /// - Parameters:
    ///   - planner: replans meetings after a delivery that was not accepted.
    ///   - parts: the sinks and the renderer.
    ///   - clock: decides which deliveries are due.
    ///   - waitClock: the machine's clock, for pauses.
    ///   - chance: for identities and jitter.
    ///   - logger: the log.
    ///   - monitor: metrics and liveness.
    ///   - gauge: the clocks of the machine, to detect when they are set.
    ///   - recordRestMilliseconds: how long to wait for more outcomes after some were recorded,
    ///     while more attempts are under way; 0 for no wait.
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

    /// Switches to a new configuration, from the next delivery on.
    public func use(_ parts: Parts, planner: Planner) {
        self.parts.withLock { old in
            let number = old.number + 1
            old = parts
            old.number = number
        }
        self.planner.withLock { $0 = planner }
        dispatch.withLock(\.self)?.wakes.wake()
    }

    /// Renders and plans with new time zone rules, from the next delivery on. The sinks and the
    /// state of the destinations stay as they are.
    public func use(rulesOf parts: Parts, planner: Planner) {
        self.parts.withLock { $0.writer = parts.writer }
        self.planner.withLock { $0 = planner }
    }

    /// The planner that replans meetings after a delivery that was not accepted.
    public var planning: Planner { planner.withLock { $0 } }

    /// The worker number under which this engine sends; the store assigns it at the first call.
    func workerNumber() async throws -> Int64 {
        if let number = worker.withLock({ $0 }) { return number }
        let name = "process \(ProcessInfo.processInfo.processIdentifier)"
        let number = try await store.takeOnWorker(named: name, now: clock.now)
        worker.withLock { $0 = number }
        let (marks, trace) = SendingMarks.begin(at: store.path + ".sending", worker: number)
        self.marks.withLock { $0 = marks }
        traceBefore.withLock { $0 = trace }
        return number
    }

    /// Marks a delivery that is about to be handed to its sink.
    func mark(_ delivery: Int64) { marks.withLock { $0 }?.mark(delivery) }

    /// Removes the marks of deliveries whose outcomes are recorded.
    func unmark(_ attempts: [FinishedAttempt]) {
        marks.withLock { $0 }?.unmark(attempts.lazy.map(\.id))
    }

    /// True if an interrupted delivery was certainly not handed to its sink.
    func isUntouched(_ orphan: OrphanedDelivery) -> Bool {
        traceBefore.withLock { $0 }?.isUntouched(orphan.id, of: orphan.worker) ?? false
    }
}
