import Agenda
import Interchange
import Ledger
import Planning
import Storage
import TestKit
import Testing

/// Several processes on one home. Here each is a planner with its own database connections.
@Suite(.timeLimit(.minutes(5))) struct ConcurrencyTests {
    @Test func `Simultaneous writers lose nothing, and make one person per address`() async throws {
        try await withTemporaryHome { world in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<6 {
                    group.addTask {
                        let planner = try await world.planner()
                        for number in 0..<4 {
                            var request = MeetingRequest()
                            request.title = "Lunch \(writer) \(number)"
                            request.with = ["new\(number)@example.org"]
                            request.start = "2026-12-05T12:00"
                            _ = try await planner.createMeeting(request, saving: true)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let planner = try await world.planner()
            #expect(try await planner.meetings(.coming).meetings.count == 24)
            for number in 0..<4 {
                let known = try await planner.store.lookUp {
                    try $0.persons(withAddress: "NEW\(number)@example.org", limit: 9)
                }
                #expect(known.count == 1)
            }
            #expect(try await planner.verifyLedger().holds)
        }
    }

    @Test func `Simultaneous requests with one key make one meeting`() async throws {
        try await withTemporaryHome { world in
            let ids = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        let planner = try await world.planner()
                        var request = MeetingRequest()
                        request.title = "Lunch"
                        request.with = ["anna@example.org"]
                        request.start = "2026-12-05T12:00"
                        request.key = "once"
                        return try await planner.createMeeting(request, saving: true).meeting.id
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
        }
    }

    @Test func `A contact that is added several times at once is added once`() async throws {
        try await withTemporaryHome { world in
            let family = "family@example.org"
            let planner = try await world.planner()
            for number in 1...7 { try await planner.add("Child \(number)", family) }
            let added = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        (try? await world.planner().add("Anna Berg", family)) != nil
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(added == 1)
            #expect(try await planner.people().count == 8)
            for name in ["Child 7", "7 child", "berg, anna"] {
                let refused = await refusal { try await planner.add(name, family) }
                #expect(refused?.code == "known_person", "\(name)")
            }
        }
    }

    @Test func `Members are added to a circle that another process made meanwhile`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let people = [try await planner.add("Anna"), try await planner.add("Ben")]
            for (number, person) in people.enumerated() {
                let circle = Circle(
                    id: CircleID(text: "circle\(number)"), name: number == 0 ? "Chess" : "chess",
                    count: 0)
                var card = ContactCard(formattedName: circle.name)
                card.uid = circle.id.text
                _ = try await planner.store.addOrExtend(
                    by: [PersonID(text: person.id)], of: CircleSource.all(of: [card])[0],
                    as: circle, owner: planner.owner.id, now: planner.now)
            }
            #expect(try await planner.circles().map(\.name) == ["Chess"])
            #expect(try await planner.circle("chess").1.map(\.name) == ["Anna", "Ben"])
        }
    }

    @Test func `A person merged or erased meanwhile is not invited by the old id`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let kept = try await planner.add("Anna Berg", "anna@example.org")
            let other = try await planner.add("Anna Holm", "holm@example.org")
            let carl = try await planner.add("Carl Holm", "carl@example.org")
            let made = try await planner.create(.lunch(with: "ben@example.org"))
            _ = try await planner.mergePeople(kept.id, other.id)
            _ = try await planner.erasePerson(carl.id)
            for gone in [other.id, carl.id] {
                await #expect(throws: StoreError.peopleChanged) {
                    _ = try await planner.store.reviseMeeting(
                        MeetingID(text: made.meeting.id), joining: [PersonID(text: gone)],
                        saving: true
                    ) { _ in
                        Issue.record("The decision was asked for.")
                        throw StoreError.foreignFile
                    }
                }
            }
        }
    }
}
