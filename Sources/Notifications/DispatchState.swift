import Ledger
import Sinks
import Storage
import Timekeeping

/// All that is on its way out: says what is to be begun, sent and recorded next. It does nothing
/// itself.
struct DispatchState {
    /// The most outcomes that are recorded in one transaction.
    static let recordRowsMax = 1000
    /// Lanes that have nothing to do are forgotten when there are more than so many.
    private static let queuesMax = 256

    /// What is to be done next, beside what is being done.
    enum Job {
        /// These are to be begun.
        case begin(Destination, [DeliveryRoute])
        /// One more task is to send what is ready.
        case send(Destination)
        /// These outcomes are to be recorded.
        case record([FinishedAttempt])
    }

    /// One attempt at each delivery, whatever ails its destination, and however fast.
    let sparesNobody: Bool
    private var queues: [Destination: DestinationQueue] = [:]
    /// The lane of each delivery that waits in one, or is under way.
    private var inHand: [Int64: Destination] = [:]
    private var suspect: Int64?
    private var finished: [FinishedAttempt] = []
    private var isRecording = false
    /// How many records were made just now.
    private var freshRecordCount = 0
    /// How many are begun and have not ended yet.
    private var toEndCount = 0
    /// What is due at another time now.
    private var rescheduled: [DueDelivery] = []
    private(set) var tally = DeliveryTally()

    init(sparesNobody: Bool = false) {
        self.sparesNobody = sparesNobody
    }

    var isIdle: Bool { inHand.isEmpty && finished.isEmpty && !isRecording }

    func holds(_ id: Int64) -> Bool { inHand[id] != nil }

    /// Takes up a delivery that is due.
    mutating func offer(
        _ route: DeliveryRoute, to destination: Destination, limits: DestinationLimits, now: Moment
    ) {
        guard inHand.updateValue(destination, forKey: route.id) == nil else { return }
        queues[destination, default: DestinationQueue(limits, now: now)].offer(route)
    }

    // MARK: What is next

    /// The next thing to do; `nil` when there is nothing before something else happens.
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
                now: now, sparesNobody: sparesNobody, mayTakeSuspect: suspect == nil)
            guard let routes else { continue }
            if routes.count == 1, routes[0].deaths > 0 { suspect = routes[0].id }
            return .begin(destination, routes)
        }
        return nil
    }

    /// Whether what has ended is recorded now. Just after a record, more is waited for while more
    /// is to come: a transaction costs more than many rows in it.
    private var mayRecord: Bool { !isRecording && (freshRecordCount == 0 || toEndCount == 0) }

    /// When something may be done although nothing happens.
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
        if routes.contains(where: { $0.id == suspect }) { suspect = nil }
    }

    mutating func nextTask(for destination: Destination, now: Moment) -> SendTask? {
        queues[destination]?.nextTask(now: now, sparesNobody: sparesNobody)
    }

    /// Nothing will come of these: an error ends the run.
    mutating func abandon(_ routes: [DeliveryRoute], to destination: Destination) {
        queues[destination]?.notBegun([])
        for route in routes { forget(route.id) }
    }

    /// An attempt has ended.
    ///
    /// - Returns: whether nobody knows yet that there is something to record.
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

    /// These were begun, as it turned out, and are not sent.
    mutating func withdraw(_ ids: Set<Int64>) {
        finished += ids.map { FinishedAttempt(withdrawing: $0) }
    }

    /// Hears how a destination is.
    ///
    /// - Returns: what may go through now, where that has changed.
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

    /// Whether nothing goes to a destination for a while.
    mutating func isLeftAlone(_ destination: Destination, now: Moment) -> Bool {
        !sparesNobody && queues[destination]?.isLeftAlone(now: now) ?? false
    }

    /// Whether what goes to a destination now is to show whether it is well again.
    func isProbing(_ destination: Destination, now: Moment) -> Bool {
        guard let breaker = queues[destination]?.breaker, !breaker.isClosed else { return false }
        return breaker.permit(now: now) == .probe
    }

    /// The clock was set back.
    mutating func turnBack(to now: Moment) {
        for destination in queues.keys { queues[destination]?.turnBack(to: now) }
    }

    /// The configuration is another one: limits hold as they are now, and every destination is
    /// taken for well.
    ///
    /// - Returns: the destinations that were left alone until now.
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

    /// A record was made a little while ago.
    mutating func rested() { freshRecordCount -= 1 }

    /// These could not be recorded, and wait on, or are given up.
    mutating func notRecorded(_ attempts: [FinishedAttempt], isGivenUp: Bool) {
        isRecording = false
        if isGivenUp {
            for attempt in attempts { forget(attempt.id) }
        } else {
            finished.insert(contentsOf: attempts, at: 0)
        }
    }

    /// What is due at another time since this was last asked.
    mutating func takeRescheduled() -> [DueDelivery] {
        defer { rescheduled = [] }
        return rescheduled
    }

    /// What was begun and will not be sent: the program ends.
    mutating func takeReady() -> [Delivery] {
        let deliveries = queues.keys.flatMap { queues[$0]?.takeReady() ?? [] }
        toEndCount -= deliveries.count
        return deliveries
    }

    /// All outcomes that are not recorded: the program ends.
    mutating func takeFinished() -> [FinishedAttempt] {
        defer { finished = [] }
        return finished
    }

    private mutating func forget(_ id: Int64) {
        guard let destination = inHand.removeValue(forKey: id) else { return }
        queues[destination]?.release(id)
        if suspect == id { suspect = nil }
    }
}
