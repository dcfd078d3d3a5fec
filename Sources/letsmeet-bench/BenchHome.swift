import Foundation
import Ledger
import Logging
import Notifications
import Operations
import Planning
import Programs
import Settings
import Sinks
import Storage
import Timekeeping
import Wording

/// A separate home with people in it, and the engine that delivers from it through one sink.
///
/// The LETSMEET variables of the environment are ignored, so nothing reaches anybody else.
struct BenchHome {
    /// 2099-01-01T12:00, the start of the first meeting.
    private static let firstStart = WallTime(secondsSince1970: 4_070_952_000)
    /// The most deliveries of one round.
    private static let roundRowsMax = 20_000

    private let planner: Planner
    private let engine: DeliveryEngine
    private let guestCount: Int
    private let hasReminders: Bool
    /// The number of deliveries of a meeting: one invitation for each guest, plus the reminders.
    private(set) var deliveriesEachMeeting = 0

    /// Makes a home in a folder.
    ///
    /// - Parameters:
    ///   - folder: the folder to create it in.
    ///   - guestCount: the number of guests of each meeting.
    ///   - hasReminders: whether the default reminders are planned.
    ///   - settings: the settings, as environment variables.
    ///   - sink: makes the sink.
    /// - Throws: the errors of the planner and the templates.
    init(
        in folder: String, guestCount: Int, hasReminders: Bool, settings: [String: String],
        sink: (PlannerSurroundings) throws -> any Sink
    ) async throws {
        var surroundings = try PlannerSurroundings.read(homeOption: folder, machine: .real)
        surroundings.configuration = try Configuration(
            home: surroundings.home, environment: settings)
        try surroundings.home.make()
        planner = try await Planner(surroundings)
        let templates = try surroundings.templateLibrary()
        engine = DeliveryEngine(
            planner: planner,
            parts: DeliveryEngine.Parts(
                sinks: [try sink(surroundings)],
                writer: MessageRenderer(
                    templates: templates, zones: surroundings.zones,
                    identities: try surroundings.deliveryIdentities(),
                    links: try surroundings.linkBuilder())),
            clock: surroundings.clock, waitClock: surroundings.waitClock,
            chance: surroundings.chance,
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        self.guestCount = guestCount
        self.hasReminders = hasReminders
        var request = request(-1)
        request.title = "The people"
        request.reminders = []
        _ = try await planner.createMeeting(request, saving: true)
        _ = try await engine.runOnce()
        let preview = try await planner.createMeeting(self.request(0), saving: false)
        deliveriesEachMeeting = preview.notifications.added.count
    }

    /// The path of a new temporary home.
    static func folder() -> String {
        FileManager.default.temporaryDirectory
            .appending(path: "letsmeet-bench-\(UUID().uuidString)").path(percentEncoded: false)
    }

    /// Removes a home.
    static func remove(_ folder: String) {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func request(_ number: Int) -> MeetingRequest {
        var request = MeetingRequest()
        request.title = "Meeting \(number)"
        request.with = (0..<guestCount).map { "guest\($0)@example.org" }
        request.start = start(number)
        if !hasReminders { request.reminders = [] }
        request.place = "Town hall"
        return request
    }

    /// The start of a meeting: a full hour of its own, so that nobody is busy.
    private func start(_ number: Int) -> String {
        Self.firstStart.adding(seconds: number * 3600).description
    }

    /// Plans meetings. Each client waits until its meeting is durable before planning the next.
    func schedule(meetingCount: Int, clientCount: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<clientCount {
                group.addTask {
                    for number in stride(from: client, to: meetingCount, by: clientCount) {
                        _ = try await planner.createMeeting(request(number), saving: true)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Sends all due deliveries and waits until every outcome is durable.
    ///
    /// - Returns: the number of accepted deliveries.
    func fire() async throws -> Int {
        let due = try await planner.store.dueDeliveries(through: planner.now, limit: .max)
        return try await engine.deliver(due.map(\.id)).accepted
    }

    /// Sends all due deliveries in rounds. Each round is folded before the next begins.
    ///
    /// - Returns: the number of accepted deliveries, and the resources used from loading the due
    ///   deliveries to their durable outcomes.
    func fireInRounds() async throws -> (accepted: Int, spent: ResourceUse) {
        var accepted = 0
        var spent = ResourceUse(wall: 0, processor: 0)
        while true {
            var taken = 0
            spent += try await ResourceUse.timing {
                let due = try await planner.store.dueDeliveries(
                    through: planner.now, limit: Self.roundRowsMax)
                accepted += try await engine.deliver(due.map(\.id)).accepted
                taken = due.count
            }
            guard taken > 0 else { return (accepted, spent) }
            try await fold()
        }
    }

    /// Runs the engine as a daemon does, until `isDone` is signalled.
    func run(until isDone: WakeSignal) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let watch = try StoreWatch(path: planner.store.path)
            group.addTask { try await engine.run(watch: watch) }
            group.addTask { await isDone.waitForCall() }
            try await group.next()
            group.cancelAll()
            // Sends that hang are cancelled.
            try await group.waitForAll()
        }
    }

    /// Adds a webhook channel for this installation.
    ///
    /// - Returns: the name of the channel.
    func addWebhook(_ url: String) async throws -> String {
        var request = ChannelRequest()
        request.kind = "webhook"
        request.url = url
        return try await planner.addChannel(request).channel.name
    }

    /// Folds all outcomes into the ledger.
    func fold() async throws {
        while try await planner.store.foldOutcomes(limit: DeliveryEngine.batchRowsMax).count > 0 {}
    }

    /// - Throws: ``BenchFault`` if not all deliveries were accepted, or the ledger is inconsistent.
    func check(accepted: Int, expected: Int) async throws {
        guard accepted == expected else {
            throw BenchFault("\(accepted) of \(expected) deliveries were accepted")
        }
        let faults = try await planner.verifyLedger().faults
        guard faults.isEmpty else { throw BenchFault("the ledger is inconsistent: \(faults)") }
    }

    /// Writes a complete copy of the database.
    func copy(to folder: String) async throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        _ = try await planner.store.backup(to: folder + "/letsmeet.sqlite", overwriting: true)
    }

    var databaseBytes: Int {
        get throws {
            let facts = try FileManager.default.attributesOfItem(atPath: planner.store.path)
            return facts[.size] as? Int ?? 0
        }
    }
}
