public import Agenda
import Foundation
import Logging
import Notifications
public import Planning
import ServiceLifecycle
import Settings
import Storage
import Timekeeping
import Transport
import UnixSignals
import Web

/// The commands of `letsmeetd`: builds all services and runs them.
public enum DaemonProgram {
    /// Tries each delivery that is due now once, and returns the results.
    ///
    /// - Throws: ``Refusal`` with `home_taken` if another daemon is running on the home.
    public static func once(_ arguments: DaemonArguments) async throws -> OnceAnswer {
        ignoreBrokenPipes()
        let logger = arguments.logger()
        let home = try await DaemonHome(try arguments.surroundings(), logger: logger)
        defer { home.release() }
        await home.followZoneRules(logger: logger)
        await home.followSettings(logger: logger)
        await home.planSeriesOn(logger: logger)
        await home.decideMinimums(logger: logger)
        let tally: DeliveryTally
        do {
            // A time given for this round with `--now` does not mean that the clock was set back.
            if arguments.now == nil { try await home.engine.heedEarlierClock() }
            // Answers come first: a person who declined gets no reminder.
            await MailService.lookOnce(home, logger: logger)
            tally = try await home.engine.runOnce()
        } catch let error as StoreError {
            throw Refusal(unrecorded: error)
        }
        return OnceAnswer(tally, waiting: try await home.engine.planning.waitingRetries())
    }

    /// The deliveries that would be sent between two times.
    public static func simulation(
        _ arguments: DaemonArguments, from start: String, to end: String
    ) async throws -> FirstRows<OutboxLine> {
        let planner = try await Planner(try arguments.surroundings())
        let from = try planner.moment(start, dayMeans: .start)
        let until = try planner.moment(end, dayMeans: .last)
        return try await planner.outbox(
            from: from, until: until, foreseesSinks: true, limit: simulationRowsMax)
    }

    /// The most deliveries that a simulation returns.
    private static let simulationRowsMax = 1_000_000

    /// Sends deliveries as they fall due, until SIGTERM or SIGINT. SIGHUP reloads configuration,
    /// templates and zone rules.
    ///
    /// - Throws: ``Refusal`` with `home_taken` if another daemon is running on the home;
    ///   ``StoreLoss`` if the database file was removed or replaced.
    public static func run(_ arguments: DaemonArguments) async throws {
        try await run(
            arguments,
            home: { surroundings, monitor, logger in
                try await DaemonHome(
                    surroundings, logger: logger, monitor: monitor,
                    gauge: arguments.machine.gauge)
            }, demo: nil)
    }

    /// Sends deliveries as they fall due.
    ///
    /// - Parameters:
    ///   - arguments: the arguments of the daemon.
    ///   - make: opens the home.
    ///   - demo: makes the controls of a demo on the home; `nil` outside one.
    /// - Throws: as ``run(_:)``.
    static func run(
        _ arguments: DaemonArguments,
        home make: (PlannerSurroundings, EngineMonitor, Logger) async throws -> DaemonHome,
        demo: ((DaemonHome) -> DemoControls)?
    ) async throws {
        ignoreBrokenPipes()
        // Trapped from the start: an untrapped SIGHUP would end the program.
        let hangups = await UnixSignalsSequence(trapping: .sighup)
        let logger = arguments.logger()
        let surroundings = try arguments.surroundings()
        let address = try surroundings.configuration.listenAddress()
        let pages = DaemonPages(uptime: arguments.machine.uptime)
        let home = try await make(surroundings, pages.monitor, logger)
        defer { home.release() }
        await home.bringUpToDate(logger: logger)
        let crontab = CrontabService(
            home: home, machine: arguments.machine, logger: logger)
        let mail = MailService(home: home, clock: surroundings.waitClock, logger: logger)
        var services: [any Service] = [
            DeliveryService(
                home: home, arguments: arguments, address: address, logger: logger,
                hangups: hangups
            ) {
                crontab.reload()
                mail.reload()
            },
            crontab,
            mail,
        ]
        let manager = ServiceManager.ofProcess
        let ready = "READY=1\nSTATUS=running on \(surroundings.home.path)"
        if let address {
            services.append(
                try pageService(
                    pages, of: home, on: address, surroundings, demo: demo?(home), logger: logger
                ) {
                    // Ready only now, so that programs started next find the page, if it can be
                    // served.
                    manager?.tell(ready)
                })
        }
        if let manager, let every = manager.watchdog {
            services.append(
                WatchdogService(
                    manager: manager, every: every, loops: pages.monitor.loops,
                    clock: surroundings.waitClock))
        }
        // Trapped before readiness is reported, because a supervisor may stop the daemon at once.
        let endings = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        logger.info("letsmeetd started", metadata: ["home": "\(surroundings.home.path)"])
        if address == nil { manager?.tell(ready) }
        try await StoreDeadline.$current.withValue(
            StoreDeadline(seconds: callSecondsMax, clock: arguments.machine.clock)
        ) {
            try await run(services, until: endings, logger: logger) { manager?.tell("STOPPING=1") }
        }
        logger.info("letsmeetd stopped")
    }

    /// The service that serves the pages.
    private static func pageService(
        _ pages: DaemonPages, of home: DaemonHome, on address: ListenAddress,
        _ surroundings: PlannerSurroundings, demo: DemoControls?, logger: Logger,
        onReady: @escaping @Sendable () -> Void
    ) throws -> PageService {
        pages.measure(home.engine.planning.store)
        return pages.service(
            on: address, operationsOn: try surroundings.configuration.operationsAddress(),
            uploads: surroundings.home.uploads, site: { home.siteAddress },
            main: home.siteController(
                clock: surroundings.waitClock, demo: demo, logger: logger),
            guests: home.guestController(logger: logger),
            feeds: home.feedController(clock: surroundings.waitClock),
            store: home.engine.planning.store, clock: surroundings.waitClock, logger: logger
        ) { bound in
            onReady()
            Task {
                guard let line = await Greeting.ofProcess.line(home.engine.planning, on: bound)
                else { return }
                try? OpenFile(descriptor: 2).write(line)
            }
        }
    }

    /// The longest time a store call may take: longer than the store waits for other processes, and
    /// shorter than the time limit of a loop.
    private static let callSecondsMax: Int64 = 30

    /// Runs the services until one of them ends or the first signal arrives.
    private static func run(
        _ services: [any Service], until endings: UnixSignalsSequence, logger: Logger,
        onEnding: @escaping @Sendable () -> Void
    ) async throws {
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services.map { .init(service: $0) }, logger: logger))
        let waiting = Task {
            for await _ in endings {
                onEnding()
                await group.triggerGracefulShutdown()
            }
        }
        defer { waiting.cancel() }
        try await group.run()
    }

    /// Ignores SIGPIPE: a closed reader is an error of the write, not the end of the program.
    private static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }
}

extension Refusal {
    /// A store error while deliveries were being sent.
    fileprivate init(unrecorded error: StoreError) {
        self.init(
            .unreachable, code: "store",
            "\(error) Messages that were sent but could not be recorded will be sent once more, "
                + "marked as ambiguous.")
    }
}

/// The results of one round of attempts, as `letsmeetd once` prints them.
public struct OnceAnswer: Encodable, Sendable {
    /// Accepted by the receiver.
    public let accepted: Int
    /// To be retried.
    public let retry: Int
    /// Permanently refused.
    public let failed: Int
    /// Possibly delivered.
    public let ambiguous: Int
    /// Not attempted, because the sink is not configured.
    public let misconfigured: Int
    /// Due but not attempted: held back by the person's settings or the rate limit, or parked.
    public let held: Int
    /// Due but not attempted: too late, or replaced by a later reminder.
    public let expired: Int
    /// The number of deliveries waiting for a retry that is not due yet.
    public let waiting: Int
    /// The time of the first retry; `nil` if no delivery is waiting for one.
    @Null public var nextTry: Timestamp?
    /// One sentence each about waiting and expired deliveries.
    public let remarks: [Remark]

    private enum CodingKeys: String, CodingKey {
        case accepted, retry, failed, ambiguous, misconfigured, held, expired, waiting, nextTry
    }

    init(_ tally: DeliveryTally, waiting: WaitingView) {
        self.waiting = waiting.count
        nextTry = waiting.next
        remarks = [
            Self.remark(onExpired: tally.expired), waiting.remark.map { Remark($0) },
        ].compactMap(\.self)
        accepted = tally.accepted
        retry = tally.retry
        failed = tally.failed
        ambiguous = tally.ambiguous
        misconfigured = tally.misconfigured
        held = tally.held
        expired = tally.expired
    }

    private static func remark(onExpired count: Int) -> Remark? {
        guard count > 0 else { return nil }
        let subject = count == 1 ? "1 delivery" : "\(count) deliveries"
        return Remark(
            "\(subject) expired unsent.", advice: .deliveries(.list(state: "expired")))
    }

    /// The results in one line for people, as in "3 accepted, 1 held back.".
    public var summary: String {
        let counts = [
            (accepted, "accepted"), (retry, "to retry"), (failed, "failed"),
            (ambiguous, "possibly delivered"), (misconfigured, "misconfigured"),
            (held, "held back"), (expired, "expired"),
        ]
        let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "Nothing was due." : "\(parts.joined(separator: ", "))."
    }

    /// Whether no due delivery failed, was held back or must be retried.
    public var isClean: Bool { retry + failed + ambiguous + misconfigured + held == 0 }
}
