import Ledger
import Sinks
import Storage
import Timekeeping

/// The state of all deliveries on their way out. It decides what is begun, sent and recorded next,
/// and does nothing itself.
struct DispatchState {
    /// The most outcomes that are recorded in one transaction.
    static let recordRowsMax = 1000
    /// Idle queues are removed when there are more than this many.
    private static let queuesMax = 256

    /// The next thing to do, besides the jobs already running.
    enum Job {
        /// Begin attempts for these deliveries.
        case begin(Destination, [DeliveryRoute])
        /// Start one more task that sends ready deliveries.
        case send(Destination)
        /// Record these outcomes.
        case record([FinishedAttempt])
    }

    /// True if each delivery gets one attempt regardless of circuit breakers and rate limits.
    let sparesNobody: Bool
    private var queues: [Destination: DestinationQueue] = [:]
    /// The destination of each delivery that waits in a queue or is under way.
    private var inHand: [Int64: Destination] = [:]
    /// The deliveries under way during which a worker crashed before.
    private var suspects: Set<Int64> = []
    private var finished: [FinishedAttempt] = []
    private var isRecording = false
    /// The number of records made just now, whose pause has not ended.
    private var freshRecordCount = 0
    /// The number of deliveries that are begun and have not ended.
    private var toEndCount = 0
    /// Deliveries with a new due time.
    private var rescheduled: [DueDelivery] = []
    private(set) var tally = DeliveryTally()

    init(sparesNobody: Bool = false) {
        self.sparesNobody = sparesNobody
    }

    var isIdle: Bool { inHand.isEmpty && finished.isEmpty && !isRecording }

    func holds(_ id: Int64) -> Bool { inHand[id] != nil }

    /// Adds a due delivery to the queue of its destination.
    mutating func offer(
        _ route: DeliveryRoute, to destination: Destination, limits: DestinationLimits, now: Moment
    ) {
        guard inHand.updateValue(destination, forKey: route.id) == nil else { return }
        queues[destination, default: DestinationQueue(limits, now: now)].offer(route)
    }

    // MARK: What is next

    /// The next job; `nil` when nothing can be done until something else happens.
    mutating func nextJob(now: Moment) -> Job? {
        if mayRecord, !finished.isEmpty {
            isRecording = true
            let batch = Array(finished.prefix(Self.recordRowsMax))
            finished.removeFirst(batch.count)
            return .record(batch)
        }
        for destination in queues.keys {
            if queues[destination]?.takeSender() == true { return .send(destination) }
            let routes = queues[destination]?.takeNext(
                now: now, sparesNobody: sparesNobody, mayTakeSuspect: suspects.isEmpty)
            guard let routes else { continue }
            suspects.formUnion(routes.filter { $0.deaths > 0 }.map(\.id))
            return .begin(destination, routes)
        }
        return nil
    }

    /// True if finished attempts may be recorded now. Just after a record, more outcomes are
    /// awaited while attempts are under way: a transaction costs more than many rows in it.
    private var mayRecord: Bool { !isRecording && (freshRecordCount == 0 || toEndCount == 0) }

    /// The moment when a job may become ready without an event.
    mutating func wakeAt(now: Moment) -> Moment? {
        var wake: Moment?
        for destination in queues.keys {
            guard let moment = queues[destination]?.wakeAt(now: now) else { continue }
            wake = min(wake ?? moment, moment)
        }
        return wake
    }

    // MARK: What happened

    mutating func begun(
        _ begun: BegunAttempts, of routes: [DeliveryRoute], to destination: Destination,
        now: Moment
    ) {
        queues[destination]?.begun(begun.deliveries, of: routes, now: now)
        toEndCount += begun.deliveries.count
        let ids = Set(begun.deliveries.map(\.id))
        for route in routes where !ids.contains(route.id) { forget(route.id) }
        rescheduled += begun.deferred.map { DueDelivery(id: $0.id, due: $0.due) }
        tally.expired += begun.expired.count
        tally.held += begun.deferred.count { !$0.reason.isEmpty } + begun.parked.count
    }

    mutating func notBegun(_ routes: [DeliveryRoute], to destination: Destination) {
        queues[destination]?.notBegun(routes)
        suspects.subtract(routes.map(\.id))
    }

    mutating func nextTask(for destination: Destination, now: Moment) -> SendTask? {
        queues[destination]?.nextTask(now: now, sparesNobody: sparesNobody)
    }

    /// Drops deliveries that an error made impossible to begin; the run ends.
    mutating func abandon(_ routes: [DeliveryRoute], to destination: Destination) {
        queues[destination]?.notBegun([])
        for route in routes { forget(route.id) }
    }

    /// Takes the outcome of an attempt.
    ///
    /// - Returns: whether the engine has to be woken to record it.
    mutating func ended(_ attempt: FinishedAttempt) -> Bool {
        finished.append(attempt)
        toEndCount -= 1
        if attempt.report.code == AttemptReport.heldCode {
            tally.expired += 1
        } else if !attempt.isWithdrawn {
            tally.count(attempt.report.outcome)
        }
        return mayRecord && (finished.count == 1 || toEndCount == 0)
    }

    /// Withdraws deliveries whose intents were recorded after all; they are not sent.
    mutating func withdraw(_ ids: Set<Int64>) {
        finished += ids.map { FinishedAttempt(withdrawing: $0) }
    }

    /// Passes a report to the circuit breaker of its destination.
    ///
    /// - Returns: the new permit, if it changed.
    mutating func hear(
        _ report: AttemptReport, from destination: Destination, now: Moment,
        using generator: inout some RandomNumberGenerator
    ) -> CircuitBreaker.Permit? {
        guard !sparesNobody, let before = queues[destination]?.breaker else { return nil }
        queues[destination]?.hear(report, now: now, using: &generator)
        guard let after = queues[destination]?.breaker, after.opening != before.opening else {
            return nil
        }
        return after.permit(now: now)
    }

    /// True if a destination's circuit breaker is open, so that nothing is sent for a while.
    mutating func isLeftAlone(_ destination: Destination, now: Moment) -> Bool {
        !sparesNobody && queues[destination]?.isLeftAlone(now: now) ?? false
    }

    /// True if the next delivery to a destination is a probe of its circuit breaker.
    func isProbing(_ destination: Destination, now: Moment) -> Bool {
        guard let breaker = queues[destination]?.breaker, !breaker.isClosed else { return false }
        return breaker.permit(now: now) == .probe
    }

    /// Adjusts the circuit breakers to a clock that was set back.
    mutating func turnBack(to now: Moment) {
        for destination in queues.keys { queues[destination]?.turnBack(to: now) }
    }

    /// Applies the limits of a new configuration and closes all circuit breakers.
    ///
    /// - Returns: the destinations whose breaker was not closed.
    mutating func renew(now: Moment, limits: (Destination) -> DestinationLimits) -> [Destination] {
        let sick = queues.filter { !$0.value.breaker.isClosed }.map(\.key)
        for destination in queues.keys { queues[destination]?.renew(limits(destination), now: now) }
        return sick
    }

    mutating func recorded(_ attempts: [FinishedAttempt], now: Moment) {
        isRecording = false
        freshRecordCount += 1
        for attempt in attempts {
            if let due = attempt.isWithdrawn ? now : attempt.verdict.due {
                rescheduled.append(DueDelivery(id: attempt.id, due: due))
            }
            forget(attempt.id)
        }
        if queues.count > Self.queuesMax {
            queues = queues.filter { !$0.value.isEmpty || !$0.value.breaker.isClosed }
        }
    }

    /// Ends the pause after a record.
    mutating func rested() { freshRecordCount -= 1 }

    /// Handles outcomes that could not be recorded: they wait for another try, or are given up.
    mutating func notRecorded(_ attempts: [FinishedAttempt], isGivenUp: Bool) {
        isRecording = false
        if isGivenUp {
            for attempt in attempts { forget(attempt.id) }
        } else {
            finished.insert(contentsOf: attempts, at: 0)
        }
    }

    /// Takes the deliveries whose due time changed since the last call.
    mutating func takeRescheduled() -> [DueDelivery] {
        defer { rescheduled = [] }
        return rescheduled
    }

    /// Takes the deliveries that were begun and will not be sent, because the program ends.
    mutating func takeReady() -> [Delivery] {
        let deliveries = queues.keys.flatMap { queues[$0]?.takeReady() ?? [] }
        toEndCount -= deliveries.count
        return deliveries
    }

    /// Takes all outcomes that are not recorded, because the program ends.
    mutating func takeFinished() -> [FinishedAttempt] {
        defer { finished = [] }
        return finished
    }

    private mutating func forget(_ id: Int64) {
        guard let destination = inHand.removeValue(forKey: id) else { return }
        queues[destination]?.release(id)
        guard suspects.remove(id) != nil, suspects.isEmpty else { return }
        queues[destination]?.noteSurvivedSuspects()
    }
}
