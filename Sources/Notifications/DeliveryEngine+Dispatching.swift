import Agenda
import Ledger
import Logging
import Planning
import Sinks
import Storage
import Synchronization
import Timekeeping

/// Carries out the jobs that ``DispatchState`` hands out.
extension DeliveryEngine {
    /// Adds due deliveries to the queues of their destinations.
    func offer(_ ids: [Int64], to dispatch: SharedDispatch) async throws {
        let routes = try await store.deliveryRoutes(of: ids)
        let parts = parts.withLock { $0 }
        let now = clock.now
        dispatch.with { state in
            for route in routes {
                state.offer(
                    route, to: parts.destination(of: route), limits: parts.limits(route.channel),
                    now: now)
            }
        }
    }

    /// Starts all jobs that are ready now.
    func startJobs(of dispatch: SharedDispatch, in group: inout DiscardingTaskGroup) {
        while let job = dispatch.with({ $0.nextJob(now: clock.now) }) {
            let perform: @Sendable () async -> Void = {
                await self.perform(job, of: dispatch)
                dispatch.wakes.wake()
            }
            // Do not pass `nil` for "no preference": in optimized builds (Swift 6.3.1) it means a
            // preference for the global executor, and the executor preference of the caller that
            // started the engine is lost.
            guard let executor = executor(for: job) else {
                group.addTask(operation: perform)
                continue
            }
            group.addTask(executorPreference: executor) {
                await perform()
                // A task does not retain its executor, and a new configuration releases the sink
                // that owns it.
                withExtendedLifetime(executor) {}
            }
        }
    }

    private func executor(for job: DispatchState.Job) -> (any TaskExecutor)? {
        guard case .send(let destination) = job else { return nil }
        return parts.withLock { $0.sinks[destination.channel]?.executor }
    }

    private func perform(_ job: DispatchState.Job, of dispatch: SharedDispatch) async {
        switch job {
        case .begin(let destination, let routes):
            await watching("recording new attempts through \(destination.channel)") {
                await begin(routes, to: destination, of: dispatch)
            }
        case .send(let destination):
            await sendAll(to: destination, of: dispatch)
        case .record(let attempts):
            let isDone = await watching("recording finished attempts") {
                await record(attempts, of: dispatch)
            }
            if isDone { await rest(of: dispatch) }
        }
    }

    private func watching<Value>(_ name: String, _ body: () async -> Value) async -> Value {
        _ = monitor.begin(name, within: EngineMonitor.write)
        defer { monitor.end(of: name) }
        return await body()
    }

    /// Pauses after a record, so that the attempts that end meanwhile are recorded in one
    /// transaction.
    private func rest(of dispatch: SharedDispatch) async {
        if recordRestMilliseconds > 0 {
            let end = waitClock.now.advanced(byMilliseconds: recordRestMilliseconds)
            try? await waitClock.sleep(until: end)
        }
        dispatch.with { $0.rested() }
    }

    // MARK: Beginning

    private func begin(
        _ routes: [DeliveryRoute], to destination: Destination, of dispatch: SharedDispatch
    ) async {
        do {
            let now = clock.now
            var begun = try await store.beginAttempts(
                routes.map(\.id), by: try await workerNumber(), dueAt: now, now: now,
                zones: planner.withLock { $0.surroundings.zones },
                links: parts.withLock { $0.writer.links?.generator })
            if parts.withLock({ $0.sinks[destination.channel]?.takesEnclosures }) == true {
                // If the store cannot answer now, send the deliveries without these details.
                let showsGuests = parts.withLock { $0.writer.showsGuests }
                let deliveries = try? await store.standing(
                    begun.deliveries, withOthers: showsGuests)
                begun.deliveries = deliveries ?? begun.deliveries
            }
            log(begun, of: dispatch)
            monitor.metrics.fired(begun)
            noteExpired(begun.expired, of: dispatch)
            let readyAt = clock.now
            let isProbe = dispatch.with { state in
                state.begun(begun, of: routes, to: destination, now: readyAt)
                return state.isProbing(destination, now: readyAt)
            }
            if isProbe { monitor.metrics.breaker(of: destination.name, is: .halfOpen) }
        } catch {
            await resolve(routes, to: destination, notBegunBecause: error, of: dispatch)
        }
    }

    /// Handles an error of `beginAttempts`. A store that reports an error may still have committed
    /// the intents, so this checks which of them exist.
    private func resolve(
        _ routes: [DeliveryRoute], to destination: Destination,
        notBegunBecause error: any Error, of dispatch: SharedDispatch
    ) async {
        guard dispatch.isPatient, !(error is StoreLoss) else {
            dispatch.fail(error)
            return dispatch.with { $0.abandon(routes, to: destination) }
        }
        logger.error("due deliveries cannot be started yet, retrying: \(error)")
        while !Task.isCancelled {
            await pause(seconds: Self.recordPausesSeconds[0])
            guard let orphans = try? await store.orphanedDeliveries() else { continue }
            let kept = Set(orphans.map(\.id)).intersection(routes.map(\.id))
            return dispatch.with { state in
                state.notBegun(routes.filter { !kept.contains($0.id) }, to: destination)
                state.withdraw(kept)
            }
        }
        dispatch.with { $0.abandon(routes, to: destination) }
    }

    /// Logs the deliveries that were due but not sent. In a single round, deferred ones are logged
    /// as warnings, so that the person who started the round sees them.
    private func log(_ begun: BegunAttempts, of dispatch: SharedDispatch) {
        let level: Logger.Level = dispatch.isPatient ? .info : .warning
        for expired in begun.expired {
            logger.info(
                "expired: \(expired.reason)", metadata: ["delivery": "\(expired.name)"])
        }
        for held in begun.deferred where !held.reason.isEmpty {
            logger.log(level: level, "\(held.reason)", metadata: ["delivery": "\(held.name)"])
        }
        for (key, reason) in begun.suppressed {
            logger.info("suppressed: \(reason)", metadata: ["delivery": "\(key)"])
        }
        for (key, reason) in begun.parked {
            logger.error("parked: \(reason)", metadata: ["delivery": "\(key)"])
        }
    }

    // MARK: Sending

    /// Sends the deliveries that are ready for a destination, one after the other, until none is
    /// left.
    private func sendAll(to destination: Destination, of dispatch: SharedDispatch) async {
        while !Task.isCancelled {
            let now = clock.now
            guard let task = dispatch.with({ $0.nextTask(for: destination, now: now) }) else {
                return
            }
            let attempt: FinishedAttempt
            if task.isHeld {
                attempt = FinishedAttempt(withdrawing: task.delivery.id)
            } else {
                attempt = await send(task.delivery, to: destination, of: dispatch)
                if attempt.report.outcome == .accepted {
                    noteSent(due: task.delivery.row.due, of: dispatch)
                }
            }
            if dispatch.with({ $0.ended(attempt) }) { dispatch.wakes.wake() }
        }
    }

    /// Passes an attempt's report to the circuit breaker of its destination.
    private func hear(
        _ report: AttemptReport, from destination: Destination, of dispatch: SharedDispatch
    ) -> CircuitBreaker.Permit? {
        let now = clock.now
        var source = chance.source
        return dispatch.with { $0.hear(report, from: destination, now: now, using: &source) }
    }

    /// Logs and stores a change of a destination's circuit breaker.
    private func note(
        _ change: CircuitBreaker.Permit, because report: AttemptReport, of destination: Destination
    ) async {
        let metadata: Logger.Metadata = [
            "channel": "\(destination.channel)", "destination": "\(destination.name)",
        ]
        switch change {
        case .none(let until):
            monitor.metrics.breaker(of: destination.name, is: .open)
            logger.error(
                "destination paused until \(until.utcText): \(report.reply)", metadata: metadata)
            await show(
                OpenBreaker(
                    channel: destination.channel, destination: destination.name, since: clock.now,
                    until: until, reason: report.reply))
        case .all, .probe:
            monitor.metrics.breaker(of: destination.name, is: .closed)
            if report.closedAddressHash == nil {
                logger.info("destination works again", metadata: metadata)
            }
            try? await store.closeBreaker(
                of: destination.name, channel: destination.channel)
        }
    }

    /// Stores an open circuit breaker, so that commands can show why a delivery waits. The engine
    /// itself does not depend on it, so an error is only logged.
    private func show(_ breaker: OpenBreaker) async {
        do {
            try await store.keep(breaker)
        } catch {
            logger.warning("cannot save that a destination is paused: \(error)")
        }
    }

    private func send(
        _ delivery: Delivery, to destination: Destination, of dispatch: SharedDispatch
    ) async -> FinishedAttempt {
        let (writer, sink) = parts.withLock { ($0.writer, $0.sinks[delivery.row.key.channel]) }
        let now = clock.now
        let name = "delivery \(delivery.row.name)"
        let turn = Turn(at: now, begun: monitor.begin(name, within: EngineMonitor.send))
        let report: AttemptReport
        if now >= delivery.row.deadline {
            // The deliveries before it in the queue took too long.
            report = .held
        } else if let sink {
            var outgoing = writer.outgoing(delivery, enclosing: sink.takesEnclosures, now: now)
            outgoing.isWanted = { [clock, monitor, deadline = delivery.row.deadline] in
                // A message that had to wait inside its sink starts only now.
                let now = clock.now
                turn.come(at: now, begun: monitor.begin(name, within: EngineMonitor.send))
                guard now < deadline else { return false }
                return !turn.hold(
                    if: dispatch.isEnding || dispatch.with { $0.isLeftAlone(destination, now: now) }
                )
            }
            outgoing.onFailure = { report in
                turn.hear { self.hear(report, from: destination, of: dispatch) }
            }
            mark(delivery.id)
            report = await sink.deliver(outgoing)
        } else {
            report = AttemptReport(
                .misconfigured, reply: "the sink \"\(delivery.row.key.channel)\" is not enabled")
        }
        monitor.end(of: name)
        let came = turn.state
        guard report.code != AttemptReport.shutdownCode, !came.isHeld else {
            return FinishedAttempt(withdrawing: delivery.id)
        }
        if let change = came.heard ?? hear(report, from: destination, of: dispatch) {
            await note(change, because: report, of: destination)
        }
        monitor.attempted(
            came.begun, late: came.at.milliseconds(since: delivery.row.due),
            channel: delivery.row.key.channel, report)
        log(report, of: delivery)
        return FinishedAttempt(
            id: delivery.id, key: delivery.row.key, report: report,
            verdict: verdict(
                report, channel: delivery.row.key.channel,
                attempts: delivery.attempts - (report.outcome == .misconfigured ? 1 : 0),
                ambiguities: delivery.row.ambiguities + (report.outcome == .ambiguous ? 1 : 0),
                deadline: delivery.row.deadline, now: clock.now,
                earliest: delivery.row.key.notification.kind == .reminder
                    ? delivery.row.due : .earliest))
    }

    func verdict(
        _ report: AttemptReport, channel: String, attempts: Int, ambiguities: Int,
        deaths: Int = 0, deadline: Moment, now: Moment, earliest: Moment = .earliest
    ) -> Verdict {
        let sink = parts.withLock { $0.sinks[channel] }
        let circumstances = AttemptCircumstances(
            attempts: attempts, ambiguities: ambiguities, deaths: deaths, deadline: deadline,
            now: now, earliest: earliest, schedule: sink?.schedule ?? .standard(for: channel),
            policy: sink?.policy ?? .resend)
        var source = chance.source
        return report.verdict(in: circumstances, using: &source)
    }

    private func log(_ report: AttemptReport, of delivery: Delivery) {
        switch report.outcome {
        case .accepted: logger.info("delivered", metadata: metadata(of: delivery, report))
        case .retry, .permanent, .misconfigured, .ambiguous:
            let words = report.closedAddressHash == nil ? "not delivered" : "closed by the receiver"
            logger.warning("\(words): \(report.reply)", metadata: metadata(of: delivery, report))
        }
    }

    private func metadata(of delivery: Delivery, _ report: AttemptReport) -> Logger.Metadata {
        [
            "delivery": "\(delivery.row.name)", "kind": "\(delivery.row.key.notification.kind)",
            "channel": "\(delivery.row.wayName)", "outcome": "\(report.outcome)",
            "code": "\(report.code)",
        ]
    }
}

extension DeliveryEngine.Parts {
    /// The destination of a delivery. A channel whose sink is not enabled is a destination of its
    /// own.
    fileprivate func destination(of route: DeliveryRoute) -> Destination {
        Destination(
            channel: route.channel,
            name: sinks[route.channel]?.destination(of: route.address) ?? route.channel)
    }

    func limits(_ channel: String) -> DestinationLimits {
        sinks[channel]?.limits ?? DestinationLimits()
    }
}

/// The state of one message from the hand-over to its sink until the end of the attempt. The sink
/// may make the message wait before it sends it.
private final class Turn: Sendable {
    struct State {
        var at: Moment
        /// The uptime at which sending began, for the monitor.
        var begun: Duration
        /// True if the message was held back because its destination is paused or the run ends. It
        /// was not sent and stays planned.
        var isHeld = false
        /// The outer optional is `nil` until the sink reports a failure. The inner one is the new
        /// state of the circuit breaker, or `nil` if that failure did not change it.
        var heard: CircuitBreaker.Permit??
    }

    private let mutex: Mutex<State>

    init(at moment: Moment, begun: Duration) {
        mutex = Mutex(State(at: moment, begun: begun))
    }

    var state: State { mutex.withLock(\.self) }

    func come(at moment: Moment, begun: Duration) {
        mutex.withLock { ($0.at, $0.begun) = (moment, begun) }
    }

    /// Runs `body`, which reports a failure to the circuit breaker, and keeps its result.
    func hear(_ body: () -> CircuitBreaker.Permit?) {
        let change = body()
        mutex.withLock { $0.heard = .some(change) }
    }

    /// - Returns: whether the message is held back.
    func hold(if isLeftAlone: Bool) -> Bool {
        mutex.withLock { $0.isHeld = isLeftAlone }
        return isLeftAlone
    }
}
