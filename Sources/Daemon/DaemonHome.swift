import Agenda
import Foundation
import Logging
import Notifications
import Planning
import Settings
import Storage
import Synchronization
import Timekeeping
import Web
import Wording

/// A home that a daemon has for itself, with all that it takes to deliver from it.
final class DaemonHome: Sendable {
    let planner: Planner
    let engine: DeliveryEngine
    private let lock: FileLock
    private let pages: Mutex<GuestPages>

    /// Takes the home and puts the engine together.
    ///
    /// - Throws: ``Refusal`` with `home_taken` when another daemon has it.
    init(
        _ surroundings: PlannerSurroundings, logger: Logger,
        monitor: EngineMonitor = EngineMonitor(), gauge: (any ClockGauge)? = nil
    ) async throws {
        try surroundings.home.make()
        do {
            lock = try FileLock(path: surroundings.home.daemonLock)
        } catch FileLock.Failure.held(let holder) {
            throw Refusal(
                .refused, code: "home_taken",
                "Another letsmeetd works on \(surroundings.home.path): \(holder). "
                    + "Stop it first, or name another home.")
        }
        pages = Mutex(try Self.guestPages(surroundings, logger: logger))
        lock.sign("process \(ProcessInfo.processInfo.processIdentifier)")
        planner = try await Planner(surroundings).sending()
        try await planner.store.checkWhole()
        engine = DeliveryEngine(
            planner: planner, parts: try Self.parts(surroundings, logger: logger),
            clock: surroundings.clock, waitClock: surroundings.waitClock,
            chance: surroundings.chance, logger: logger, monitor: monitor, gauge: gauge)
    }

    /// Reads templates and configuration into what the engine works with.
    static func parts(
        _ surroundings: PlannerSurroundings, logger: Logger
    ) throws -> DeliveryEngine.Parts {
        let templates = try surroundings.templateLibrary()
        for fault in templates.faults {
            logger.warning("\(fault) Mend it; until then the shipped one stands in.")
        }
        return DeliveryEngine.Parts(
            sinks: try surroundings.sinks(),
            writer: MessageRenderer(
                templates: templates, zones: surroundings.zones,
                links: try surroundings.linkBook(),
                showsGuests: surroundings.configuration.showsGuests))
    }

    /// Reads the pages that guests open.
    private static func guestPages(
        _ surroundings: PlannerSurroundings, logger: Logger
    ) throws -> GuestPages {
        let pages = try GuestPages(
            shipped: surroundings.shipped.templates, own: surroundings.home.templates)
        for fault in pages.faults {
            logger.warning("\(fault) Mend it; until then the shipped one stands in.")
        }
        return pages
    }

    /// The pages that guests open.
    func guestController(logger: Logger) -> GuestController {
        GuestController(logger: logger) { (self.engine.planning, self.pages.withLock { $0 }) }
    }

    /// The calendars that programs read.
    func feedController(clock: any WallClock) -> FeedController {
        FeedController(clock: clock) { self.engine.planning }
    }

    /// The path under which others see this installation.
    var baseFolder: String {
        (try? engine.planning.surroundings.configuration.baseURL())?.path ?? ""
    }

    /// Works by another configuration from now on.
    func use(_ surroundings: PlannerSurroundings, logger: Logger) throws {
        let parts = try Self.parts(surroundings, logger: logger)
        let pages = try Self.guestPages(surroundings, logger: logger)
        engine.use(
            parts,
            planner: try engine.planning.reading(surroundings.configuration)
                .reading(surroundings.zones))
        self.pages.withLock { $0 = pages }
    }

    /// Nothing is sent by rules that are known to be old, or to sinks that are off; other rules are
    /// looked at later.
    func bringUpToDate(logger: Logger) async {
        await followZoneRules(isKnownOnly: true, logger: logger)
        await followSinks(logger: logger)
        await planSeriesOn(logger: logger)
    }

    /// Plans coming meetings anew where other sinks are on than before. What cannot be done is
    /// logged, and tried again at the next start.
    func followSinks(logger: Logger) async {
        do {
            guard let outcome = try await engine.planning.followSinks() else { return }
            if outcome.count > 0 {
                logger.info(
                    "coming meetings are planned for the sinks that are on now",
                    metadata: ["meetings": "\(outcome.count)"])
            }
            for failure in outcome.failures {
                logger.error(
                    "a meeting cannot be planned for other sinks: \(failure.reason)",
                    metadata: ["meeting": "\(failure.meeting)"])
            }
        } catch {
            logger.error("coming meetings cannot be planned for other sinks: \(error)")
        }
    }

    /// Gives the home back.
    func release() {
        lock.release()
    }
}
