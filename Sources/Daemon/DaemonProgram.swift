import Foundation
import Logging
import Notifications
public import Planning
import ServiceLifecycle
import Settings
import Storage
import Timekeeping
import UnixSignals

/// What `letsmeetd` does: builds everything, and lets it run.
public enum DaemonProgram {
    /// Delivers what is due now, one attempt each, and returns how those attempts ended.
    ///
    /// - Throws: ``Refusal`` with `home_taken` when another daemon works on the home.
    public static func once(_ arguments: DaemonArguments) async throws -> OnceAnswer {
        ignoreBrokenPipes()
        let logger = arguments.logger()
        let home = try await DaemonHome(try arguments.surroundings(), logger: logger)
        defer { home.release() }
        await home.followZoneRules(logger: logger)
        await home.followSinks(logger: logger)
        await home.planSeriesOn(logger: logger)
        let tally: DeliveryTally
        do {
            // A time that somebody names for one round is no clock that was set back.
            if arguments.now == nil { try await home.engine.heedEarlierClock() }
            // Who has said no is not reminded.
            await MailService.lookOnce(home, logger: logger)
            tally = try await home.engine.runOnce()
        } catch let error as StoreError {
            throw Refusal(unrecorded: error)
        }
        return OnceAnswer(tally, waiting: try await home.planner.waitingRetries())
    }

    /// What would be sent between two times that somebody typed.
    public static func simulation(
        _ arguments: DaemonArguments, from start: String, to end: String
    ) async throws -> FirstRows<OutboxLine> {
        let planner = try await Planner(try arguments.surroundings())
        let from = try planner.moment(start, dayMeans: .start)
        let until = try planner.moment(end, dayMeans: .end)
        guard from <= until else {
            throw Refusal(.invalid, code: "usage", "--to is before --from.")
        }
        return try await planner.outbox(from: from, until: until, limit: simulationRowsMax)
    }

    /// The most deliveries that a simulation tells of.
    private static let simulationRowsMax = 1_000_000

    /// Delivers what falls due, until SIGTERM or SIGINT. SIGHUP makes it read configuration,
    /// templates and zone rules anew.
    ///
    /// - Throws: ``Refusal`` with `home_taken` when another daemon works on the home; ``StoreLoss``
    ///   when the file of its database was removed or replaced.
    public static func run(_ arguments: DaemonArguments) async throws {
        ignoreBrokenPipes()
        // From the first moment on: untrapped, it would end the program.
        let hangups = await UnixSignalsSequence(trapping: .sighup)
        let logger = arguments.logger()
        let surroundings = try arguments.surroundings()
        let address = try surroundings.configuration.listenAddress()
        let pages = DaemonPages(uptime: arguments.machine.uptime)
        let home = try await DaemonHome(
            surroundings, logger: logger, monitor: pages.monitor, gauge: arguments.machine.gauge)
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
                crontab.readAnew()
                mail.readAnew()
            },
            crontab,
            mail,
        ]
        let manager = ServiceManager(
            environment: ProcessInfo.processInfo.environment,
            process: ProcessInfo.processInfo.processIdentifier)
        let ready = "READY=1\nSTATUS=works on \(surroundings.home.path)"
        if let address {
            pages.measure(home.planner.store)
            services.append(
                pages.service(
                    on: address, folder: { home.baseFolder },
                    guests: home.guestController(logger: logger),
                    feeds: home.feedController(clock: surroundings.waitClock),
                    store: home.planner.store, clock: surroundings.waitClock, logger: logger
                ) { _ in
                    // Who is started after it finds its page, or one that will not come.
                    manager?.tell(ready)
                })
        }
        if let manager, let every = manager.watchdog {
            services.append(
                WatchdogService(
                    manager: manager, every: every, loops: pages.monitor.loops,
                    clock: surroundings.waitClock))
        }
        // Trapped before anybody is told that it works: who reads that may end it at once.
        let endings = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        logger.info("letsmeetd works", metadata: ["home": "\(surroundings.home.path)"])
        if address == nil { manager?.tell(ready) }
        try await StoreDeadline.$current.withValue(
            StoreDeadline(seconds: callSecondsMax, clock: arguments.machine.clock)
        ) {
            try await run(services, until: endings, logger: logger) { manager?.tell("STOPPING=1") }
        }
        logger.info("letsmeetd ends")
    }

    /// How long a call to the store may take: longer than a store waits for other processes, and
    /// shorter than a loop that turns may take.
    private static let callSecondsMax: Int64 = 30

    /// Lets the services run until one of them ends or the first signal comes.
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

    /// A reader that goes away is an answer of a write, not the end of the program.
    private static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }
}

extension Refusal {
    /// A database that refused while deliveries were being sent.
    fileprivate init(unrecorded error: StoreError) {
        self.init(
            .unreachable, code: "store",
            "\(error) What was sent and could not be recorded is sent once more then, and marked "
                + "as ambiguous.")
    }
}

/// How the attempts of one round ended, as `letsmeetd once` prints it.
public struct OnceAnswer: Encodable, Sendable {
    /// Taken by the receiver.
    public let accepted: Int
    /// Put off.
    public let retry: Int
    /// Refused for good.
    public let failed: Int
    /// Perhaps delivered.
    public let ambiguous: Int
    /// Not tried in earnest: the sink is not set up.
    public let misconfigured: Int
    /// Due and not tried: held back by what its person wants or by the flood guard, or parked.
    public let held: Int
    /// Due and not tried: their time had passed, or a later reminder went in their place.
    public let expired: Int
    /// How many were tried, now or before, and are not due again yet.
    public let waiting: Int
    /// When the first of those is tried again.
    @Null public var nextTry: Timestamp?
    /// What waits and what expired, in a sentence each.
    public let remarks: [String]

    private enum CodingKeys: String, CodingKey {
        case accepted, retry, failed, ambiguous, misconfigured, held, expired, waiting, nextTry
    }

    init(_ tally: DeliveryTally, waiting: WaitingView) {
        self.waiting = waiting.count
        nextTry = waiting.next
        remarks = [Self.remark(onExpired: tally.expired), waiting.remark].compactMap(\.self)
        accepted = tally.accepted
        retry = tally.retry
        failed = tally.failed
        ambiguous = tally.ambiguous
        misconfigured = tally.misconfigured
        held = tally.held
        expired = tally.expired
    }

    private static func remark(onExpired count: Int) -> String? {
        guard count > 0 else { return nil }
        let subject = count == 1 ? "1 delivery" : "\(count) deliveries"
        return "\(subject) expired unsent. Why, says: letsmeet ledger list --state expired"
    }

    /// Whether there was nothing to do, and nothing to say of it.
    public var isIdle: Bool { isClean && accepted + expired + waiting == 0 }

    /// Whether nothing that was due failed or was put off.
    public var isClean: Bool { retry + failed + ambiguous + misconfigured + held == 0 }
}
