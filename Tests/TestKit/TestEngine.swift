import Agenda
public import Logging
public import Notifications
public import Planning
import Settings
import Timekeeping
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
