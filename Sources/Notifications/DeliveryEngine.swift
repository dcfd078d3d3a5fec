import Agenda
import Foundation
import Ledger
public import Logging
public import Planning
import Storage
import Synchronization
public import Timekeeping

/// How a round of deliveries ended, counted by outcome.
public struct DeliveryTally: Equatable, Sendable {
    /// Taken by the receiver.
    public var accepted = 0
    /// Put off.
    public var retry = 0
    /// Refused for good.
    public var failed = 0
    /// Perhaps delivered.
    public var ambiguous = 0
    /// Not tried in earnest: the sink is not set up.
    public var misconfigured = 0

    mutating func count(_ outcome: AttemptOutcome) {
        switch outcome {
        case .accepted: accepted += 1
        case .retry: retry += 1
        case .permanent: failed += 1
        case .misconfigured: misconfigured += 1
        case .ambiguous: ambiguous += 1
        }
    }

    /// Counts of nothing, or of so many.
    public init(
        accepted: Int = 0, retry: Int = 0, failed: Int = 0, ambiguous: Int = 0,
        misconfigured: Int = 0
    ) {
        self.accepted = accepted
        self.retry = retry
        self.failed = failed
        self.ambiguous = ambiguous
        self.misconfigured = misconfigured
    }

    /// Adds another round's numbers.
    public static func += (left: inout DeliveryTally, right: DeliveryTally) {
        left.accepted += right.accepted
        left.retry += right.retry
        left.failed += right.failed
        left.ambiguous += right.ambiguous
        left.misconfigured += right.misconfigured
    }
}

/// Takes what is due from the ledger, sends it, and records how that went.
///
/// The order of the steps is the promise: letters are read and the intent to send them is made
/// durable in one transaction, then each is written out and sent, and what came of it is made
/// durable after. Whatever dies in between leaves an attempt without an outcome, which is visible
/// and is resolved by the next engine that gets the home.
public final class DeliveryEngine: Sendable {
    /// The most deliveries in one round.
    public static let batchRowsMax = 1000
    /// The most deliveries that are held in the wheel; the rest waits in the store.
    public static let pendingRowsMax = 100_000
    /// How far ahead the wheel looks, in milliseconds.
    public static let horizonMilliseconds: Int64 = 3_600_000
    /// How often the store is looked at unasked, in milliseconds.
    public static let sweepMilliseconds: Int64 = 60_000
    /// The waits before what was sent is recorded again after the store refused, in seconds.
    static let recordPausesSeconds: [Int64] = [1, 2, 4]

    /// What the configuration decides, and a new configuration replaces.
    public struct Parts: Sendable {
        let sinks: [String: any Sink]
        let writer: ParcelWriter

        /// Delivers through these sinks what this writer writes.
        public init(sinks: [any Sink], writer: ParcelWriter) {
            self.sinks = Dictionary(
                sinks.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            self.writer = writer
        }
    }

    let store: Store
    private let planner: Mutex<Planner>
    private let parts: Mutex<Parts>
    let clock: any WallClock
    /// The machine's clock, for pauses: the other one may stand still.
    let waitClock: any WallClock
    let chance: Chance
    let logger: Logger
    /// The number under which this engine sends.
    private let worker = Mutex<Int64?>(nil)

    /// Makes an engine; only one may work on a home at a time.
    ///
    /// - Parameters:
    ///   - planner: plans anew what did not arrive.
    ///   - parts: what sends, and what writes.
    ///   - clock: says what is due.
    ///   - waitClock: the machine's clock, for pauses.
    ///   - chance: for identities and jitter.
    ///   - logger: where it tells what it does.
    public init(
        planner: Planner, parts: Parts, clock: any WallClock, waitClock: any WallClock,
        chance: Chance, logger: Logger
    ) {
        store = planner.store
        self.planner = Mutex(planner)
        self.parts = Mutex(parts)
        self.clock = clock
        self.waitClock = waitClock
        self.chance = chance
        self.logger = logger
    }

    /// Delivers by other parts, and plans by another configuration, from the next delivery on.
    public func use(_ parts: Parts, planner: Planner) {
        self.parts.withLock { $0 = parts }
        self.planner.withLock { $0 = planner }
    }

    private func sink(named name: String) -> (any Sink)? {
        parts.withLock { $0.sinks[name] }
    }

    /// The number under which this engine sends, given by the store the first time.
    private func workerNumber() async throws -> Int64 {
        if let number = worker.withLock({ $0 }) { return number }
        let name = "process \(ProcessInfo.processInfo.processIdentifier)"
        let number = try await store.takeOnWorker(named: name, now: clock.now)
        worker.withLock { $0 = number }
        return number
    }

    /// Resolves what an engine before this one left behind: an attempt without an outcome may or
    /// may not have arrived.
    public func recover() async throws {
        try await foldAll()
        let now = clock.now
        let finished = try await store.orphanedDeliveries().map { orphan in
            let report = AttemptReport(
                .ambiguous, code: "restart", reply: "the daemon ended while it was being sent")
            return FinishedAttempt(
                id: orphan.id, report: report,
                verdict: verdict(
                    report, channel: orphan.channel, attempts: orphan.attempts,
                    ambiguities: orphan.ambiguities + 1, deadline: orphan.deadline, now: now))
        }
        guard !finished.isEmpty else { return }
        try await record(finished)
        logger.warning("deliveries found half sent", metadata: ["count": "\(finished.count)"])
    }

    /// Sends those of these deliveries that were due at a moment, one attempt each.
    ///
    /// A delivery that was under way when a worker died goes by itself, after all others and those
    /// with fewer deaths first: what kills its worker is found, and what only happened to be in
    /// the same round is not parked with it.
    public func deliver(_ ids: [Int64], dueAt moment: Moment) async throws -> DeliveryTally {
        let suspects = try await store.suspects(among: ids)
        var tally = try await deliverTogether(
            ids.filter { !suspects.contains($0) }, dueAt: moment)
        for suspect in suspects where !Task.isCancelled {
            tally += try await deliverTogether([suspect], dueAt: moment)
        }
        return tally
    }

    /// One intent for all, and one record of how they ended.
    private func deliverTogether(
        _ ids: [Int64], dueAt moment: Moment
    ) async throws -> DeliveryTally {
        guard !ids.isEmpty else { return DeliveryTally() }
        let now = clock.now
        let writer = parts.withLock { $0.writer }
        var tally = DeliveryTally()
        var finished: [FinishedAttempt] = []
        let begun = try await store.beginAttempts(
            ids, by: try await workerNumber(), dueAt: moment, now: now,
            zones: planner.withLock { $0.surroundings.zones })
        if begun.expiredCount > 0 {
            logger.info("deliveries expired", metadata: ["count": "\(begun.expiredCount)"])
        }
        for (key, reason) in begun.parked {
            logger.error("parked: \(reason)", metadata: ["delivery": "\(key)"])
        }
        for letter in begun.letters {
            let attempt =
                Task.isCancelled
                ? unsent(letter) : await send(writer.parcel(letter, now: now), for: letter)
            tally.count(attempt.report.outcome)
            finished.append(attempt)
        }
        try await record(finished)
        return tally
    }

    /// Records what came of attempts. A store that is away for a moment is waited for: what is
    /// not recorded now can only be called ambiguous later.
    private func record(_ finished: [FinishedAttempt]) async throws {
        let planner = planner.withLock { $0 }
        let replanning: @Sendable (Bool) -> Replanning = { mayHaveArrived in
            planner.replanning(
                because: mayHaveArrived
                    ? "the meeting changed while it was being sent"
                    : "what came before it did not arrive")
        }
        for pauseSeconds in Self.recordPausesSeconds {
            do {
                return try await record(finished, replanning)
            } catch {
                logger.error("what was sent cannot be recorded yet: \(error)")
                let end = waitClock.now.advanced(bySeconds: pauseSeconds)
                try? await waitClock.sleep(until: end)
            }
        }
        try await record(finished, replanning)
    }

    private func record(
        _ finished: [FinishedAttempt],
        _ replanning: @escaping @Sendable (_ mayHaveArrived: Bool) -> Replanning
    ) async throws {
        let failures = try await store.finishAttempts(
            finished, now: clock.now, replanning: replanning)
        for (meeting, reason) in failures {
            logger.error("\(meeting) cannot be planned anew: \(reason)")
        }
    }

    private func send(_ parcel: Parcel, for letter: Letter) async -> FinishedAttempt {
        let channel = letter.row.key.channel
        let report: AttemptReport
        if clock.now >= letter.row.deadline {
            // Those before it in the round took their time.
            report = AttemptReport(.retry, reply: "it was not sent")
        } else if let sink = sink(named: channel) {
            report = await sink.deliver(parcel)
        } else {
            report = AttemptReport(.misconfigured, reply: "the sink \(channel) is not on")
        }
        log(report, of: letter)
        return FinishedAttempt(
            id: letter.id, report: report,
            verdict: verdict(
                report, channel: channel,
                attempts: letter.attempts - (report.outcome == .misconfigured ? 1 : 0),
                ambiguities: letter.row.ambiguities + (report.outcome == .ambiguous ? 1 : 0),
                deadline: letter.row.deadline, now: clock.now))
    }

    /// What was claimed and not yet sent when the engine was told to end.
    private func unsent(_ letter: Letter) -> FinishedAttempt {
        let report = AttemptReport(
            .retry, code: AttemptReport.shutdownCode, reply: "the daemon ended before it was sent")
        return FinishedAttempt(
            id: letter.id, report: report,
            verdict: Verdict(.planned, due: letter.row.due, reason: report.reply))
    }

    private func verdict(
        _ report: AttemptReport, channel: String, attempts: Int, ambiguities: Int,
        deadline: Moment, now: Moment
    ) -> Verdict {
        let sink = sink(named: channel)
        let circumstances = AttemptCircumstances(
            attempts: attempts, ambiguities: ambiguities, deadline: deadline, now: now,
            schedule: sink?.schedule ?? .stdout, policy: sink?.policy ?? .resend)
        var source = chance.source
        return report.verdict(in: circumstances, using: &source)
    }

    private func log(_ report: AttemptReport, of letter: Letter) {
        let metadata: Logger.Metadata = [
            "delivery": "\(letter.row.name)", "kind": "\(letter.row.key.notification.kind)",
            "channel": "\(letter.row.key.channel)", "outcome": "\(report.outcome)",
        ]
        switch report.outcome {
        case .accepted: logger.info("delivered", metadata: metadata)
        case .retry, .permanent, .misconfigured, .ambiguous:
            logger.warning("not delivered: \(report.reply)", metadata: metadata)
        }
    }
}
