import GRDB
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

@testable import Agenda
@testable import Storage

@Suite struct BelongingsTests {
    @Test func `A circle goes without its people, and a saved place alone`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var anna = ContactEdit()
            anna.name = "Anna"
            _ = try await planner.addPerson(anna)
            for name in ["Chess", "Choir"] {
                _ = try await planner.addCircle(name, members: ["Anna"])
                _ = try await planner.addPlace(name, near: nil, address: "")
            }
            _ = try await planner.deleteCircle("chess")
            _ = try await planner.removePlace("chess")
            #expect(try await planner.circles().map(\.name) == ["Choir"])
            #expect(try await planner.circle("Choir").1.map(\.name) == ["Anna"])
            #expect(try await planner.savedPlaces().map(\.name) == ["Choir"])
        }
    }

    @Test(
        arguments: [
            (nil, "Asia/Tokyo", "Asia/Tokyo"), ("Europe/Oslo", "Asia/Tokyo", "Europe/Oslo"),
        ] as [(String?, String?, String?)])
    func `Who has no zone gains that of who is merged into them`(
        _ kept: String?, _ other: String?, _ left: String?
    ) async throws {
        try await withTemporaryStore { store in
            let now = Moment(seconds: 9)
            let people = [("a", kept), ("b", other)].map { letter, zone in
                Person(
                    id: PersonID(text: String(repeating: letter, count: 16)), name: letter,
                    zone: zone)
            }
            try await store.write { db in
                for person in people { try person.insert(in: db, now: now) }
            }
            let merged = try await store.mergePersons(
                people[0].id, people[1].id, now: now,
                decisions: MergeDecisions(card: { kept, _ in kept }, meeting: { $0.unrevised }),
                saving: true)
            #expect(merged?.person.id == people[0].id)
            #expect(merged?.person.zone == left)
        }
    }
}
