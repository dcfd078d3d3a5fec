import Agenda
public import Logging
public import Notifications
public import Planning
import Settings
public import Storage
public import Timekeeping
import Wording

extension TestWorld {
    /// An engine that delivers from this world's home through these sinks.
    public func engine(
        _ planner: Planner, sinks: [any Sink], logger: Logger = .silent
    ) throws -> DeliveryEngine {
        let templates = try TemplateLibrary(
            shipped: Checkout.root + "/templates", own: home.templates, zones: zones)
        return DeliveryEngine(
            planner: planner,
            parts: DeliveryEngine.Parts(
                sinks: sinks, writer: ParcelWriter(templates: templates, zones: zones)),
            clock: clock, waitClock: clock, chance: chance, logger: logger)
    }
}

extension Logger {
    /// Says nothing.
    public static var silent: Logger {
        Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    }
}

extension Store {
    /// Does what a worker does that dies when it has recorded its intent to send these deliveries.
    public func beginAndDie(_ ids: [Int64], now: Moment) async throws {
        let worker = try await takeOnWorker(named: "about to die", now: now)
        _ = try await beginAttempts(ids, by: worker, dueAt: now, now: now)
    }
}
