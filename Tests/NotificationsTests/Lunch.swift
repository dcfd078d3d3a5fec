import Agenda
import Ledger
import Planning
import Storage
import TestKit

/// An installation with a lunch on 5 December at noon, to which Anna and Ben are invited: two
/// invitations are due, and six reminders wait.
struct Lunch {
    let world: TestWorld
    let planner: Planner

    func due() async throws -> [DueDelivery] {
        try await planner.store.dueDeliveries(through: world.clock.now, limit: 100)
    }

    /// Begins these deliveries like an engine, but sends nothing.
    func begin(_ ids: [Int64]) async throws -> BegunAttempts {
        let now = world.clock.now
        let worker = try await planner.store.takeOnWorker(named: "test", now: now)
        return try await planner.store.beginAttempts(
            ids, by: worker, dueAt: now, now: now, zones: world.zones)
    }

    func states() async throws -> [String: Int] {
        try await planner.ledgerStats().states.filter { $0.value > 0 }
    }
}

func withLunch(_ body: (Lunch) async throws -> Void) async throws {
    try await withTemporaryHome { world in
        let planner = try await world.planner()
        for (name, address) in [("Anna Aalto", "anna@example.org"), ("Ben Berg", "")] {
            var person = ContactEdit()
            person.name = name
            if !address.isEmpty { person.emails = [address] }
            _ = try await planner.addPerson(person)
        }
        var request = MeetingRequest()
        request.title = "Lunch"
        request.with = ["Anna", "Ben"]
        request.start = "2026-12-05T12:00"
        _ = try await planner.createMeeting(request, saving: true)
        try await body(Lunch(world: world, planner: planner))
    }
}
