import Ledger
import Agenda
import Foundation
public import Logging
public import Notifications
public import Planning
import Settings
public import Sinks
public import Storage
public import Timekeeping
import Wording

private let shippedTemplates = Result {
    try TemplateLibrary(
        shipped: Checkout.root + "/templates", own: "/nonexistent", zones: SystemZones.directory)
}

extension TestWorld {
    /// Sends what is due, and returns it as "kind name", sorted.
    public func told(_ planner: Planner) async throws -> [String] {
        let sink = ScriptedSink(name: "stdout")
        _ = try await engine(planner, sinks: [sink, PageSink()]).runOnce()
        return sink.messages.map { "\($0.kind.rawValue) \($0.name)" }.sorted()
    }

    /// An engine that delivers from this world's home through these sinks. By default it records
    /// outcomes without waiting for more of them, because its clock may stand still.
    public func engine(
        _ planner: Planner, sinks: [any Sink], logger: Logger = .silent,
        monitor: EngineMonitor = EngineMonitor(), gauge: (any ClockGauge)? = nil,
        links: LinkBuilder? = nil, recordRestMilliseconds: Int64 = 0
    ) throws -> DeliveryEngine {
        DeliveryEngine(
            planner: planner,
            parts: try parts(
                sinks, links: links, showsGuests: planner.surroundings.configuration.showsGuests),
            clock: clock, waitClock: clock,
            chance: chance, logger: logger, monitor: monitor, gauge: gauge,
            recordRestMilliseconds: recordRestMilliseconds)
    }

    /// The parts of an engine for this world's home.
    public func parts(
        _ sinks: [any Sink], zones: ZoneDirectory? = nil, links: LinkBuilder? = nil,
        showsGuests: Bool = false
    ) throws -> DeliveryEngine.Parts {
        let zones = zones ?? self.zones
        return DeliveryEngine.Parts(
            sinks: sinks,
            writer: MessageRenderer(
                templates: try templates(zones), zones: zones,
                identities: try surroundings().deliveryIdentities(), links: links,
                showsGuests: showsGuests))
    }

    /// Reads the built-in templates once for all tests, because that takes longer than most of
    /// these tests.
    private func templates(_ zones: ZoneDirectory) throws -> TemplateLibrary {
        let hasOwn = FileManager.default.fileExists(atPath: home.templates)
        guard hasOwn || zones !== SystemZones.directory else { return try shippedTemplates.get() }
        return try TemplateLibrary(
            shipped: Checkout.root + "/templates", own: home.templates, zones: zones)
    }

    /// Delivers everything that is due, and returns the JSON objects that standard output shows.
    ///
    /// - Parameters:
    ///   - zones: the zone rules; by default those of the system.
    ///   - isOnPurpose: false to deliver as an installation in which nothing else is enabled.
    /// - Returns: the objects, in the order of the deliveries.
    /// - Throws: an error of the planner, of the templates, of the engine, or of the file of the
    ///   deliveries.
    public func deliver(
        zones: ZoneDirectory? = nil, isOnPurpose: Bool = true
    ) async throws -> [[String: Any]] {
        let file = home.path + "/delivered-\(UUID().uuidString)"
        _ = FileManager.default.createFile(atPath: file, contents: nil)
        defer { try? FileManager.default.removeItem(atPath: file) }
        guard let handle = FileHandle(forWritingAtPath: file) else { return [] }
        let sink = StdoutSink(
            descriptor: handle.fileDescriptor, form: .lines, isOnPurpose: isOnPurpose,
            clock: clock)
        let engine = try engine(try await planner(), sinks: [sink, PageSink()])
        if let zones {
            engine.use(
                try parts([sink, PageSink()], zones: zones),
                planner: try await planner().reading(zones))
        }
        _ = try await engine.runOnce()
        try handle.close()
        return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }
}

extension Logger {
    /// A logger that discards everything.
    public static var silent: Logger {
        Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    }
}

extension Store {
    /// Simulates a worker that crashes after it recorded its intent to send these deliveries.
    public func beginAndDie(_ ids: [Int64], now: Moment) async throws {
        let worker = try await takeOnWorker(named: "about to die", now: now)
        _ = try await beginAttempts(ids, by: worker, dueAt: now, now: now, zones: ZoneDirectory())
    }
}
