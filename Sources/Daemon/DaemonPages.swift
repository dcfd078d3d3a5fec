import Ledger
import Logging
import Notifications
import ServiceLifecycle
import Settings
import Storage
import Timekeeping
import Web

/// The metrics and pages of a daemon.
struct DaemonPages: Sendable {
    /// The monitor of the delivery engine.
    let monitor: EngineMonitor
    private let trouble: StoreTrouble
    private let registry = MetricRegistry(helps: DeliveryMetrics.helps)

    /// Makes empty metrics. `uptime` is a clock that cannot be set; it watches the loops.
    init(uptime: @escaping @Sendable () -> Duration) {
        trouble = StoreTrouble(uptime: uptime)
        monitor = EngineMonitor(
            metrics: DeliveryMetrics(factory: registry), loops: LoopWatch(uptime: uptime))
    }

    /// Measures the duration of store writes, and observes store errors.
    func measure(_ store: Store) {
        let (metrics, trouble) = (monitor.metrics, trouble)
        store.measureCommits(
            by: CommitMeter(uptime: monitor.loops.uptime) { took in
                metrics.committed(in: took)
                trouble.hearCommit()
            })
        store.reportFailures { trouble.hear($0) }
    }

    /// The service that serves the pages.
    ///
    /// - Parameters:
    ///   - address: the address to listen on.
    ///   - ownAddress: the address of the health check and the metrics; `nil` for the same.
    ///   - uploads: the folder for the files of forms; `nil` to take none.
    ///   - site: the addresses of the pages.
    ///   - main: the pages for people who sign in.
    ///   - guests: the controller of the guest pages.
    ///   - feeds: the controller of the calendar feeds.
    ///   - store: the store of the home.
    ///   - clock: the clock of the machine.
    ///   - logger: the log for errors.
    ///   - onTry: called at each attempt to listen, as described at ``PageServer``.
    /// - Returns: the service.
    func service(
        on address: ListenAddress, operationsOn ownAddress: ListenAddress? = nil,
        uploads: String? = nil,
        site: @escaping @Sendable () -> SiteAddress? = { nil }, main: Site? = nil,
        guests: GuestController? = nil, feeds: FeedController? = nil, store: Store,
        clock: any WallClock, logger: Logger,
        onTry: @escaping @Sendable (ListenAddress?) -> Void = { _ in }
    ) -> PageService {
        let probe = SingleFlight(clock: clock) {
            await StoreProbe(store: store, logger: logger).problem
        }
        let figures = StoreFigures(store: store, clock: clock)
        let reading = SingleFlight(clock: clock) { await Self.families(of: figures, logger) }
        let (loops, trouble) = (monitor.loops, trouble)
        let operations = OperationsController(
            registry: registry,
            problems: {
                // If the probe does not answer in time, that is a problem, too.
                let store = await probe.answer() ?? "the database does not respond"
                return [store ?? trouble.problem].compactMap(\.self)
                    + loops.stuck.map(Self.words)
            }, figures: { await reading.answer() ?? [] })
        // A page may wait for the store no longer than for a connection.
        let pages = [guests?.routes, feeds?.routes, main?.routes].compactMap(\.self).joined()
        let routes = pages.map { route in
            route.within { request, handler in
                try await Store.$mayBlockThread.withValue(true) {
                    try await StoreDeadline.$current.withValue(
                        StoreDeadline(seconds: Self.pageSecondsMax, clock: clock)
                    ) { try await handler(request) }
                }
            }
        }
        return PageService(
            inquiries: [
                { await probe.run() }, { await reading.run() }, { await guests?.run() },
                { await feeds?.run() }, { await main?.run() },
                { await main?.runLive() }, { await main?.runTasks() },
            ],
            untilReady: {
                await main?.recoverTasks()
                await feeds?.untilReady()
            },
            server: PageServer(
                on: address, routes: (ownAddress == nil ? operations.routes : []) + routes,
                site: site,
                problemPage: { problem, request in
                    if let page = await guests?.problemPage(problem, request) { return page }
                    return await main?.problemPage(problem, request)
                }, uploads: uploads,
                clock: clock, logger: logger, onTry: onTry),
            operations: ownAddress.map { address in
                PageServer(
                    on: address, routes: operations.routes, areOperationsOpen: true, clock: clock,
                    logger: logger)
            })
    }

    /// The longest time a store call for a page may take, in seconds.
    private static let pageSecondsMax: Int64 = 10

    private static func words(_ loop: LoopHealth.StuckLoop) -> String {
        "\(loop.name) is overdue by \(loop.overdue.components.seconds) seconds"
    }

    private static func families(of figures: StoreFigures, _ logger: Logger) async -> [MetricFamily]
    {
        let build = MetricFamily(
            "letsmeet_build_info", .gauge, help: "The running version.",
            [MetricSample(1, labels: [MetricLabel("version", Version.current)])])
        do {
            return families(try await figures.read()) + [build]
        } catch {
            logger.warning("cannot count the ledger: \(error)")
            return [build]
        }
    }

    private static func families(_ reading: StoreFigures.Reading) -> [MetricFamily] {
        let counts = reading.counts ?? []
        return [
            MetricFamily(
                "letsmeet_deliveries", .gauge,
                help: "Deliveries in the ledger at the last count, by state and channel.",
                counts.map { count in
                    MetricSample(
                        Double(count.count),
                        labels: [
                            MetricLabel("channel", count.channel),
                            MetricLabel("state", count.state.rawValue),
                        ])
                }),
            MetricFamily(
                "letsmeet_deliveries_counted_timestamp_seconds", .gauge,
                help: "Time of the last count of deliveries, in seconds since 1970.",
                reading.countedAt.map { [MetricSample(Double($0.milliseconds) / 1000)] } ?? []),
            MetricFamily(
                "letsmeet_queue_oldest_seconds", .gauge,
                help: "Seconds since the oldest waiting delivery became due.",
                [MetricSample(Double(reading.oldestDueMilliseconds) / 1000)]),
        ]
    }
}

/// Checks whether the store responds.
struct StoreProbe {
    let store: Store
    let logger: Logger

    /// The problem, in words that anybody may read; `nil` if there is none.
    var problem: String? {
        get async {
            do {
                try store.checkFile()
                _ = try await store.newsMark()
                return nil
            } catch {
                logger.error("cannot read the database: \(error)")
                return error is StoreLoss
                    ? "the database file was removed or replaced"
                    : "the database cannot be read; see the log of letsmeetd"
            }
        }
    }
}

/// Runs the page server and the background queries of its pages.
struct PageService: Service, CustomStringConvertible {
    let inquiries: [@Sendable () async -> Void]
    /// Returns when the first requests can be answered without delay.
    let untilReady: @Sendable () async -> Void
    let server: PageServer
    /// The server of the health check and the metrics; `nil` if they are on the first.
    let operations: PageServer?

    /// The name under which the service group logs this service at debug level.
    var description: String { "PageService" }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for singleFlight in inquiries { group.addTask { await singleFlight() } }
            if let operations { group.addTask { try await operations.run() } }
            await untilReady()
            try await server.run()
            group.cancelAll()
        }
    }
}
