import Ledger
import Logging
import Notifications
import ServiceLifecycle
import Settings
import Storage
import Timekeeping
import Web

/// What a daemon counts and shows of itself.
struct DaemonPages: Sendable {
    /// Sees the engine at work.
    let monitor: EngineMonitor
    private let trouble: StoreTrouble
    private let registry = MetricRegistry(helps: DeliveryMetrics.helps)

    /// Nothing is counted yet; loops are watched by this clock, which nobody sets.
    init(uptime: @escaping @Sendable () -> Duration) {
        trouble = StoreTrouble(uptime: uptime)
        monitor = EngineMonitor(
            metrics: DeliveryMetrics(factory: registry), loops: LoopWatch(uptime: uptime))
    }

    /// Measures how long the store takes to write, and hears what it refuses.
    func measure(_ store: Store) {
        let (metrics, trouble) = (monitor.metrics, trouble)
        store.measureCommits(
            by: CommitMeter(uptime: monitor.loops.uptime) { took in
                metrics.committed(in: took)
                trouble.hearCommit()
            })
        store.reportFailures { trouble.hear($0) }
    }

    /// The service that shows them.
    ///
    /// - Parameters:
    ///   - address: where it listens.
    ///   - folder: the path under which others see it; empty where there is none.
    ///   - guests: the pages of guests, which it shows beside.
    ///   - feeds: the calendars that programs read, which it shows, too.
    ///   - store: the store of the home.
    ///   - clock: the machine's clock.
    ///   - logger: where it says what goes wrong.
    ///   - onTry: hears of each try to listen, as ``PageServer`` says.
    /// - Returns: the service.
    func service(
        on address: ListenAddress, folder: @escaping @Sendable () -> String = { "" },
        guests: GuestController? = nil, feeds: FeedController? = nil, store: Store,
        clock: any WallClock,
        logger: Logger,
        onTry: @escaping @Sendable (ListenAddress?) -> Void = { _ in }
    ) -> PageService {
        let probe = SingleFlight(clock: clock) {
            await StoreProbe(store: store, logger: logger).problem
        }
        let figures = StoreFigures(store: store, clock: clock)
        let reading = SingleFlight(clock: clock) { await Self.families(of: figures, logger) }
        let (loops, trouble) = (monitor.loops, trouble)
        let room = OperationsController(
            registry: registry,
            problems: {
                // An answer that does not come is told from one that says that all is well.
                let store = await probe.answer() ?? "the database does not answer"
                return [store ?? trouble.problem].compactMap(\.self)
                    + loops.stuck.map(Self.words)
            }, figures: { await reading.answer() ?? [] })
        // Who waits for a page waits no longer than for a connection.
        let otherPages = ((guests?.pages ?? []) + (feeds?.pages ?? [])).map { page in
            page.within { answer in
                try await StoreDeadline.$current.withValue(
                    StoreDeadline(seconds: Self.pageSecondsMax, clock: clock), operation: answer)
            }
        }
        return PageService(
            inquiries: [
                { await probe.run() }, { await reading.run() }, { await guests?.run() },
                { await feeds?.run() },
            ],
            untilReady: { await feeds?.untilReady() },
            server: PageServer(
                on: address, pages: room.pages + otherPages, folder: folder, clock: clock,
                logger: logger, onTry: onTry))
    }

    /// How long a call to the store may take for a page, in seconds.
    private static let pageSecondsMax: Int64 = 10

    private static func words(_ loop: LoopHealth.StuckLoop) -> String {
        "\(loop.name) is overdue by \(loop.overdue.components.seconds) seconds"
    }

    private static func families(of figures: StoreFigures, _ logger: Logger) async -> [MetricFamily]
    {
        let build = MetricFamily(
            "letsmeet_build_info", .gauge, help: "Which version runs.",
            [MetricSample(1, labels: [MetricLabel("version", Version.current)])])
        do {
            return families(try await figures.read()) + [build]
        } catch {
            logger.warning("the ledger cannot be counted: \(error)")
            return [build]
        }
    }

    private static func families(_ reading: StoreFigures.Reading) -> [MetricFamily] {
        let counts = reading.counts ?? []
        return [
            MetricFamily(
                "letsmeet_deliveries", .gauge,
                help: "Deliveries in the ledger, by state and channel, when counted last.",
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
                help: "When the deliveries were counted last, in seconds since 1970.",
                reading.countedAt.map { [MetricSample(Double($0.milliseconds) / 1000)] } ?? []),
            MetricFamily(
                "letsmeet_queue_oldest_seconds", .gauge,
                help: "How long the oldest delivery that waits has been due.",
                [MetricSample(Double(reading.oldestDueMilliseconds) / 1000)]),
        ]
    }
}

/// Finds out whether the store answers.
struct StoreProbe {
    let store: Store
    let logger: Logger

    /// What is wrong, in words that anybody may read; `nil` when nothing is.
    var problem: String? {
        get async {
            do {
                try store.checkFile()
                _ = try await store.newsMark()
                return nil
            } catch {
                logger.error("the database cannot be read: \(error)")
                return error is StoreLoss
                    ? "the file of the database is gone, or was replaced"
                    : "the database cannot be read; the log of letsmeetd says why"
            }
        }
    }
}

/// Runs the server, and what its pages ask.
struct PageService: Service, CustomStringConvertible {
    let inquiries: [@Sendable () async -> Void]
    /// Returns when what is asked first can be answered at once.
    let untilReady: @Sendable () async -> Void
    let server: PageServer

    /// Its group logs this at debug.
    var description: String { "PageService" }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for singleFlight in inquiries { group.addTask { await singleFlight() } }
            await untilReady()
            try await server.run()
            group.cancelAll()
        }
    }
}
