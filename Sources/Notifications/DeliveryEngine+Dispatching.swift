import Agenda
import Ledger
import Logging
import Planning
import Sinks
import Storage
import Synchronization
import Timekeeping

/// Carrying out what the traffic asks for.
extension DeliveryEngine {
    /// Takes up deliveries that are due.
    func offer(_ ids: [Int64], to flow: SharedDispatch) async throws {
        let routes = try await store.deliveryRoutes(of: ids)
        let parts = parts.withLock { $0 }
        let now = clock.now
        flow.with { traffic in
            for route in routes {
                traffic.offer(
                    route, to: parts.destination(of: route), limits: parts.limits(route.channel),
                    now: now)
            }
        }
    }

    /// Starts all that there is to do now.
    func startJobs(of flow: SharedDispatch, in group: inout DiscardingTaskGroup) {
        while let job = flow.with({ $0.nextJob(now: clock.now) }) {
            let perform: @Sendable () async -> Void = {
                await self.perform(job, of: flow)
                flow.wakes.wake()
            }
            // No preference is not said as `nil`: optimized, that is a preference for the global
            // executor (Swift 6.3.1), and what is given to who started the engine is lost.
            guard let executor = executor(for: job) else {
                group.addTask(operation: perform)
                continue
            }
            group.addTask(executorPreference: executor) {
                await perform()
                // A task does not hold what it runs on, and a new configuration lets its sink go.
                withExtendedLifetime(executor) {}
            }
        }
    }

    private func executor(for job: DispatchState.Job) -> (any TaskExecutor)? {
        guard case .send(let destination) = job else { return nil }
        return parts.withLock { $0.sinks[destination.channel]?.executor }
    }

    private func perform(_ job: DispatchState.Job, of flow: SharedDispatch) async {
        switch job {
        case .begin(let destination, let routes):
            await watching("the record of what is sent through \(destination.channel)") {
                await begin(routes, to: destination, of: flow)
            }
        case .send(let destination):
            await sendAll(to: destination, of: flow)
        case .record(let attempts):
            let isDone = await watching("the record of what was sent") {
                await record(attempts, of: flow)
            }
            if isDone { await rest(of: flow) }
        }
    }

    private func watching<Value>(_ name: String, _ body: () async -> Value) async -> Value {
        _ = monitor.begin(name, within: EngineMonitor.write)
        defer { monitor.end(of: name) }
        return await body()
    }

    /// What ends meanwhile is recorded together.
    private func rest(of flow: SharedDispatch) async {
        if recordRestMilliseconds > 0 {
            let end = waitClock.now.advanced(byMilliseconds: recordRestMilliseconds)
            try? await waitClock.sleep(until: end)
        }
        flow.with { $0.rested() }
    }

    // MARK: Beginning

    private func begin(
        _ routes: [DeliveryRoute], to destination: Destination, of flow: SharedDispatch
    ) async {
        do {
            let now = clock.now
            var begun = try await store.beginAttempts(
                routes.map(\.id), by: try await workerNumber(), dueAt: now, now: now,
                zones: planner.withLock { $0.surroundings.zones },
                links: parts.withLock { $0.writer.links?.mint })
            if parts.withLock({ $0.sinks[destination.channel]?.takesEnclosures }) == true {
                // A store that cannot say it now is no reason to keep letters back.
                let showsGuests = parts.withLock { $0.writer.showsGuests }
                let letters = try? await store.standing(begun.letters, withOthers: showsGuests)
                begun.letters = letters ?? begun.letters
            }
            log(begun, of: flow)
            monitor.metrics.fired(begun)
            noteExpired(begun.expired, of: flow)
            let readyAt = clock.now
            let isProbe = flow.with { traffic in
                traffic.begun(begun, of: routes, to: destination, now: readyAt)
                return traffic.isProbing(destination, now: readyAt)
            }
            if isProbe { monitor.metrics.breaker(of: destination.name, is: .halfOpen) }
        } catch {
            await resolve(routes, to: destination, notBegunBecause: error, of: flow)
        }
    }

    /// A store that fails may have kept the intents all the same.
    private func resolve(
        _ routes: [DeliveryRoute], to destination: Destination,
        notBegunBecause error: any Error, of flow: SharedDispatch
    ) async {
        guard flow.isPatient, !(error is StoreLoss) else {
            flow.fail(error)
            return flow.with { $0.abandon(routes, to: destination) }
        }
        logger.error("what is due cannot be begun yet: \(error)")
        while !Task.isCancelled {
            await pause(seconds: Self.recordPausesSeconds[0])
            guard let orphans = try? await store.orphanedDeliveries() else { continue }
            let kept = Set(orphans.map(\.id)).intersection(routes.map(\.id))
            return flow.with { traffic in
                traffic.notBegun(routes.filter { !kept.contains($0.id) }, to: destination)
                traffic.withdraw(kept)
            }
        }
        flow.with { $0.abandon(routes, to: destination) }
    }

    /// Who lets the engine work for one round is told of all that was due and did not go.
    private func log(_ begun: BegunAttempts, of flow: SharedDispatch) {
        let level: Logger.Level = flow.isPatient ? .info : .warning
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

    /// Sends what is ready for a destination, one after the other, until nothing is.
    private func sendAll(to destination: Destination, of flow: SharedDispatch) async {
        while !Task.isCancelled {
            let now = clock.now
            guard let errand = flow.with({ $0.nextErrand(for: destination, now: now) }) else {
                return
            }
            let attempt: FinishedAttempt
            if errand.isHeld {
                attempt = FinishedAttempt(withdrawing: errand.letter.id)
            } else {
                attempt = await send(errand.letter, to: destination, of: flow)
                if attempt.report.outcome == .accepted {
                    noteSent(due: errand.letter.row.due, of: flow)
                }
            }
            if flow.with({ $0.ended(attempt) }) { flow.wakes.wake() }
        }
    }

    /// Hears how a destination is.
    private func hear(
        _ report: AttemptReport, from destination: Destination, of flow: SharedDispatch
    ) -> CircuitBreaker.Permit? {
        let now = clock.now
        var source = chance.source
        return flow.with { $0.hear(report, from: destination, now: now, using: &source) }
    }

    /// Tells of what goes through to a destination from now on.
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
                "left alone until \(until.utcText): \(report.reply)", metadata: metadata)
            await show(
                OpenBreaker(
                    channel: destination.channel, destination: destination.name, since: clock.now,
                    until: until, reason: report.reply))
        case .all, .probe:
            monitor.metrics.breaker(of: destination.name, is: .closed)
            if report.closedAddressHash == nil {
                logger.info("well again", metadata: metadata)
            }
            try? await store.closeBreaker(
                of: destination.name, channel: destination.channel)
        }
    }

    /// Who asks why something waits is told by it; nothing depends on it.
    private func show(_ breaker: OpenBreaker) async {
        do {
            try await store.keep(breaker)
        } catch {
            logger.warning("cannot be told to who asks: \(error)")
        }
    }

    private func send(
        _ letter: Delivery, to destination: Destination, of flow: SharedDispatch
    ) async -> FinishedAttempt {
        let (writer, sink) = parts.withLock { ($0.writer, $0.sinks[letter.row.key.channel]) }
        let now = clock.now
        let name = "delivery \(letter.row.name)"
        let turn = Turn(at: now, begun: monitor.begin(name, within: EngineMonitor.send))
        let report: AttemptReport
        if now >= letter.row.deadline {
            // Those before it in its lane took their time.
            report = .held
        } else if let sink {
            var parcel = writer.parcel(letter, enclosing: sink.takesEnclosures, now: now)
            parcel.isWanted = { [clock, monitor, deadline = letter.row.deadline] in
                // What waited for its turn begins with it.
                let now = clock.now
                turn.come(at: now, begun: monitor.begin(name, within: EngineMonitor.send))
                guard now < deadline else { return false }
                return !turn.hold(
                    if: flow.isEnding || flow.with { $0.isLeftAlone(destination, now: now) })
            }
            parcel.onFailure = { report in
                turn.hear { self.hear(report, from: destination, of: flow) }
            }
            report = await sink.deliver(parcel)
        } else {
            report = AttemptReport(
                .misconfigured, reply: "the sink \(letter.row.key.channel) is not on")
        }
        monitor.end(of: name)
        let came = turn.state
        guard report.code != AttemptReport.shutdownCode, !came.isHeld else {
            return FinishedAttempt(withdrawing: letter.id)
        }
        if let change = came.heard ?? hear(report, from: destination, of: flow) {
            await note(change, because: report, of: destination)
        }
        monitor.attempted(
            came.begun, late: came.at.milliseconds(since: letter.row.due),
            channel: letter.row.key.channel, report)
        log(report, of: letter)
        return FinishedAttempt(
            id: letter.id, key: letter.row.key, report: report,
            verdict: verdict(
                report, channel: letter.row.key.channel,
                attempts: letter.attempts - (report.outcome == .misconfigured ? 1 : 0),
                ambiguities: letter.row.ambiguities + (report.outcome == .ambiguous ? 1 : 0),
                deadline: letter.row.deadline, now: clock.now,
                earliest: letter.row.key.notification.kind == .reminder
                    ? letter.row.due : .earliest))
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

    private func log(_ report: AttemptReport, of letter: Delivery) {
        switch report.outcome {
        case .accepted: logger.info("delivered", metadata: metadata(of: letter, report))
        case .retry, .permanent, .misconfigured, .ambiguous:
            let words = report.closedAddressHash == nil ? "not delivered" : "closed by its receiver"
            logger.warning("\(words): \(report.reply)", metadata: metadata(of: letter, report))
        }
    }

    private func metadata(of letter: Delivery, _ report: AttemptReport) -> Logger.Metadata {
        [
            "delivery": "\(letter.row.name)", "kind": "\(letter.row.key.notification.kind)",
            "channel": "\(letter.row.wayName)", "outcome": "\(report.outcome)",
            "code": "\(report.code)",
        ]
    }
}

extension DeliveryEngine.Parts {
    /// A channel that is off stands for itself.
    fileprivate func destination(of route: DeliveryRoute) -> Destination {
        Destination(
            channel: route.channel,
            name: sinks[route.channel]?.destination(of: route.address) ?? route.channel)
    }

    func limits(_ channel: String) -> DestinationLimits {
        sinks[channel]?.limits ?? DestinationLimits()
    }
}

/// When the turn of a parcel came, which may have waited for it in its sink.
private final class Turn: Sendable {
    struct State {
        var at: Moment
        /// What the monitor wants to know when it has ended.
        var begun: Duration
        /// Whether its destination is left alone: it was not sent, and waits on.
        var isHeld = false
        /// What goes through since it failed, where that has changed; `nil` where its failure was
        /// not heard of yet.
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

    /// Keeps what came of hearing about its destination.
    func hear(_ body: () -> CircuitBreaker.Permit?) {
        let change = body()
        mutex.withLock { $0.heard = .some(change) }
    }

    /// - Returns: whether it is held back.
    func hold(if isLeftAlone: Bool) -> Bool {
        mutex.withLock { $0.isHeld = isLeftAlone }
        return isLeftAlone
    }
}
