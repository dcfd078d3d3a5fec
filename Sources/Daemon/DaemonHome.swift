import Agenda
import Foundation
import Logging
import Notifications
import Operations
import Places
import Planning
import Settings
import Sinks
import Storage
import Synchronization
import Timekeeping
import Web
import Wording

/// A home locked by a daemon, with everything needed to deliver from it.
final class DaemonHome: Sendable {
    let engine: DeliveryEngine
    private let lock: FolderLock
    private let pages: Mutex<GuestPages>
    private let site: Mutex<SiteAddress>
    private let templates: Mutex<SiteTemplates>
    private let assets: AssetLibrary
    /// Tells the pages whether the database has changed.
    private let version: DataVersion
    private let maps: MapAlbum
    /// The number of switches to another configuration.
    private let switches = Atomic<Int>(0)
    private let sinks: @Sendable (PlannerSurroundings) throws -> [any Sink]

    /// Locks the home and builds the delivery engine.
    ///
    /// - Parameters:
    ///   - surroundings: the environment.
    ///   - logger: the log for warnings.
    ///   - monitor: the monitor of the engine.
    ///   - gauge: the clocks of the machine, to detect when they are set.
    ///   - sinks: makes the sinks of a configuration.
    /// - Throws: ``Refusal`` with `home_taken` if another daemon is running on the home.
    init(
        _ surroundings: PlannerSurroundings, logger: Logger,
        monitor: EngineMonitor = EngineMonitor(), gauge: (any ClockGauge)? = nil,
        sinks: @escaping @Sendable (PlannerSurroundings) throws -> [any Sink] = { try $0.sinks() }
    ) async throws {
        self.sinks = sinks
        try surroundings.home.make()
        do {
            lock = try FolderLock(
                on: surroundings.home.path, file: surroundings.home.daemonLock)
        } catch FileLock.Failure.held(let holder) {
            throw Refusal(
                .refused, code: "home_taken",
                "Another letsmeetd is already running on \(surroundings.home.path): \(holder). "
                    + "Stop it first, or choose another home.")
        } catch FileLock.Failure.folderLocked(let folder) {
            throw Refusal(
                .refused, code: "home_taken",
                "Another process has locked the folder \(folder): a letsmeetd whose lock file was "
                    + "removed, or a program such as flock(1). Stop it first, or choose another "
                    + "home.")
        }
        pages = Mutex(try Self.guestPages(surroundings, logger: logger))
        site = Mutex(Self.site(surroundings.configuration))
        templates = Mutex(try Self.siteTemplates(surroundings, logger: logger))
        assets = try AssetLibrary(
            folder: surroundings.shipped.templates + "/web",
            own: surroundings.home.templates + "/web")
        maps = MapAlbum(
            try StreetAtlas(
                file: surroundings.shipped.sample + "/streets.txt",
                attribution: "© OpenStreetMap contributors, April 2019"))
        lock.sign("process \(ProcessInfo.processInfo.processIdentifier)")
        let planner = try await Planner(surroundings).sending()
        try await planner.store.checkWhole()
        version = try DataVersion(of: planner.store)
        engine = DeliveryEngine(
            planner: planner, parts: try Self.parts(surroundings, sinks, logger: logger),
            clock: surroundings.clock, waitClock: surroundings.waitClock,
            chance: surroundings.chance, logger: logger, monitor: monitor, gauge: gauge)
        Self.warn(of: surroundings, logger: logger)
    }

    /// Builds the parts of the engine from templates and configuration.
    static func parts(
        _ surroundings: PlannerSurroundings,
        _ sinks: (PlannerSurroundings) throws -> [any Sink] = { try $0.sinks() }, logger: Logger
    ) throws -> DeliveryEngine.Parts {
        try surroundings.checkLanguage()
        let templates = try surroundings.templateLibrary()
        for fault in templates.faults {
            logger.warning("\(fault) Fix it; until then the built-in one is used.")
        }
        return DeliveryEngine.Parts(
            sinks: try sinks(surroundings),
            writer: MessageRenderer(
                templates: templates, zones: surroundings.zones,
                identities: try surroundings.deliveryIdentities(),
                links: try surroundings.linkBuilder(),
                showsGuests: surroundings.configuration.showsGuests))
    }

    /// Logs the invalid values of settings. The daemon works without these settings: the others are
    /// refused where they are read.
    private static func warn(of surroundings: PlannerSurroundings, logger: Logger) {
        let check = ConfigurationCheck(
            home: surroundings.home, environment: ProcessInfo.processInfo.environment)
        for problem in check.problems { logger.warning("\(problem.text)") }
    }

    /// Loads the templates of the guest pages.
    private static func guestPages(
        _ surroundings: PlannerSurroundings, logger: Logger
    ) throws -> GuestPages {
        let pages = try GuestPages(
            shipped: surroundings.shipped.templates, own: surroundings.home.templates)
        for fault in pages.faults {
            logger.warning("\(fault) Fix it; until then the built-in one is used.")
        }
        return pages
    }

    /// Loads the templates of the pages for people who sign in.
    private static func siteTemplates(
        _ surroundings: PlannerSurroundings, logger: Logger
    ) throws -> SiteTemplates {
        let templates = try SiteTemplates(
            shipped: surroundings.shipped.templates, own: surroundings.home.templates,
            pages: Site.pages)
        for fault in templates.faults {
            logger.warning("\(fault) Fix it; until then the built-in one is used.")
        }
        return templates
    }

    /// The pages for people who sign in.
    func siteController(
        clock: any WallClock, demo: DemoControls? = nil, logger: Logger
    ) -> Site {
        Site(
            clock: clock, version: version, demo: demo, logger: logger,
            reload: { await self.reload(clock) }
        ) {
            Site.World(
                planner: self.engine.planning, templates: self.templates.withLock { $0 },
                assets: self.assets, maps: self.maps, address: self.siteAddress,
                isDemo: demo != nil)
        }
    }

    /// The controller of the guest pages.
    func guestController(logger: Logger) -> GuestController {
        GuestController(logger: logger) {
            (self.engine.planning, self.pages.withLock { $0 }, self.maps)
        }
    }

    /// The controller of the calendar feeds.
    func feedController(clock: any WallClock) -> FeedController {
        FeedController(clock: clock) { self.engine.planning }
    }

    /// The addresses of the pages.
    var siteAddress: SiteAddress { site.withLock(\.self) }

    private static func site(_ configuration: Configuration) -> SiteAddress {
        SiteAddress(
            base: try? configuration.baseURL(), listen: try? configuration.listenAddress(),
            proxies: (try? configuration.trustedProxies())?.addresses ?? [],
            tiles: try? configuration.mapTiles())
    }

    /// The number of looks, 20 ms apart, until a reload is given up: the configuration may be
    /// wrong.
    private static let looksMax = 100

    /// Asks this process to read the configuration again, and returns when it has.
    private func reload(_ clock: any WallClock) async {
        let before = switches.load(ordering: .relaxed)
        kill(getpid(), SIGHUP)
        for _ in 0..<Self.looksMax where switches.load(ordering: .relaxed) == before {
            try? await clock.sleep(until: clock.now.advanced(byMilliseconds: 20))
        }
    }

    /// Switches to another configuration.
    func use(_ surroundings: PlannerSurroundings, logger: Logger) throws {
        let parts = try Self.parts(surroundings, sinks, logger: logger)
        let pages = try Self.guestPages(surroundings, logger: logger)
        let templates = try Self.siteTemplates(surroundings, logger: logger)
        engine.use(
            parts,
            planner: try engine.planning.reading(surroundings.configuration)
                .reading(surroundings.zones))
        self.pages.withLock { $0 = pages }
        Self.warn(of: surroundings, logger: logger)
        self.templates.withLock { $0 = templates }
        site.withLock { $0 = Self.site(surroundings.configuration) }
        switches.add(1, ordering: .relaxed)
    }

    /// Brings plans up to date before anything is sent: no delivery uses zone rules known to be
    /// outdated, or a disabled sink. Zones that were never checked are checked later.
    func bringUpToDate(logger: Logger) async {
        do {
            try await engine.planning.keepOwnersAccount()
        } catch {
            logger.error("cannot give the owner an account: \(error)")
        }
        await followZoneRules(isKnownOnly: true, logger: logger)
        await followSettings(logger: logger)
        await planSeriesOn(logger: logger)
        await decideMinimums(logger: logger)
    }

    /// Re-plans upcoming meetings if the enabled sinks or the quiet hours have changed. Failures
    /// are logged; those of sinks are tried again at the next start.
    func followSettings(logger: Logger) async {
        await replan("the enabled sinks", logger) { try await engine.planning.followSinks() }
        await replan("the quiet hours", logger) { try await engine.planning.followQuietHours() }
    }

    private func replan(
        _ setting: String, _ logger: Logger, by follow: () async throws -> ReplanCount?
    ) async {
        do {
            guard let outcome = try await follow() else { return }
            if outcome.count > 0 {
                logger.info(
                    "upcoming meetings re-planned for \(setting)",
                    metadata: ["meetings": "\(outcome.count)"])
            }
            for failure in outcome.failures {
                logger.error(
                    "cannot re-plan a meeting for \(setting): \(failure.reason)",
                    metadata: ["meeting": "\(failure.meeting)"])
            }
        } catch {
            logger.error("cannot re-plan upcoming meetings for \(setting): \(error)")
        }
    }

    /// Unlocks the home.
    func release() {
        lock.release()
    }
}
