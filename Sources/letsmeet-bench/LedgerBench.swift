import Foundation
import Ledger
import Logging
import Notifications
import Planning
import Programs
import Settings
import Sinks
import Storage
import Wording

/// A home with people in it, and the engine that delivers from it to whoever accepts at once.
struct LedgerBench {
    private let planner: Planner
    private let engine: DeliveryEngine
    private let guestCount: Int
    private let hasReminders: Bool
    /// How many deliveries a meeting has: one invitation a guest, and what reminders there are.
    private(set) var deliveriesEachMeeting = 0

    init(home folder: String, guestCount: Int, hasReminders: Bool) async throws {
        let surroundings = try PlannerSurroundings.read(homeOption: folder, machine: .real)
        try surroundings.home.make()
        planner = try await Planner(surroundings)
        let templates = try TemplateLibrary(
            shipped: surroundings.shipped.templates, own: surroundings.home.templates,
            zones: surroundings.zones)
        engine = DeliveryEngine(
            planner: planner,
            parts: DeliveryEngine.Parts(
                sinks: [AcceptingSink()],
                writer: ParcelWriter(templates: templates, zones: surroundings.zones)),
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

    private func request(_ number: Int) -> MeetingRequest {
        var request = MeetingRequest()
        request.title = "Meeting \(number)"
        request.with = (0..<guestCount).map { "guest\($0)@example.org" }
        request.start = "2099-01-01T12:00"
        if !hasReminders { request.reminders = [] }
        request.place = "Town hall"
        return request
    }

    /// Plans meetings, each durable before the next of its client.
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

    /// Sends what is due, until every outcome is durable.
    ///
    /// - Returns: how many were accepted.
    func fire() async throws -> Int {
        let due = try await planner.store.dueDeliveries(through: planner.now, limit: .max)
        return try await engine.deliver(due.map(\.id)).accepted
    }

    /// Makes history of all that ended.
    func fold() async throws {
        while try await planner.store.foldOutcomes(limit: DeliveryEngine.batchRowsMax).count > 0 {}
    }

    /// - Throws: ``BenchFault`` where not all was accepted, or the ledger does not hold.
    func check(accepted: Int, expected: Int) async throws {
        guard accepted == expected else {
            throw BenchFault("\(accepted) of \(expected) deliveries were accepted")
        }
        let faults = try await planner.verifyLedger().faults
        guard faults.isEmpty else { throw BenchFault("the ledger does not hold: \(faults)") }
    }

    /// Leaves a whole copy of the database.
    func copy(to folder: String) async throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        _ = try await planner.backup(to: folder + "/letsmeet.sqlite", overwriting: true)
    }

    var databaseBytes: Int {
        get throws {
            let facts = try FileManager.default.attributesOfItem(atPath: planner.store.path)
            return facts[.size] as? Int ?? 0
        }
    }
}

/// Accepts at once.
private struct AcceptingSink: Sink {
    let name = "stdout"
    let schedule = RetrySchedule.stdout
    let policy = AmbiguityPolicy.resend

    func deliver(_ parcel: Parcel) async -> AttemptReport { AttemptReport(.accepted) }
}
