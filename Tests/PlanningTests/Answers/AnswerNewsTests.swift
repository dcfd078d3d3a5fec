import Agenda
import Ledger
import Planning
import Settings
import TestKit
import Testing

/// Notifications of answers to the organizer.
@Suite struct AnswerNewsTests {
    private func withParty(
        _ body: (_ world: TestWorld, _ olga: Planner, _ anna: Planner) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let olga = try await world.planner(settings: [.ownerAddress: "olga@example.org"])
            for name in ["Anna", "Ben"] {
                var person = ContactEdit()
                person.name = name
                person.emails = ["\(name.lowercased())@example.org"]
                _ = try await olga.addPerson(person)
            }
            var request = MeetingRequest()
            request.title = "Party"
            request.with = ["anna", "ben"]
            request.start = "2026-12-05T18:00"
            _ = try await olga.createMeeting(request, saving: true)
            _ = try await world.deliver()
            try await body(world, olga, try await world.planner(actingAs: "anna"))
            #expect(try await olga.verifyLedger().faults.isEmpty)
        }
    }

    private func told(_ world: TestWorld) async throws -> [[String: Any]] {
        try await world.deliver().filter { $0["kind"] as? String == "answer" }
    }

    @Test func `The organizer is notified of an answer with its note`() async throws {
        try await withParty { world, _, anna in
            let outcome = try await anna.answer(
                "Party", .going, who: nil, plus: 2, note: "I bring cake.", saving: true)
            #expect(outcome.notifications.added.map(\.kind).contains(.answer))
            let deliveries = try await told(world)
            let delivery = try #require(deliveries.first)
            #expect(deliveries.count == 1)
            #expect(delivery["subject"] as? String == "Anna is coming: Party")
            let text = try #require(delivery["text"] as? String)
            #expect(text.hasPrefix("Anna is coming, plus 2.\n> I bring cake.\n"))
            #expect(text.contains("Guests:     4 going"))
            let to = delivery["to"] as? [String: Any]
            #expect(to?["name"] as? String == "Olga Owner")
        }
    }

    @Test func `The organizer's own entries and repeated answers are not notified`() async throws {
        try await withParty { world, olga, anna in
            _ = try await olga.answer(
                "Party", .maybe, who: "ben", plus: nil, note: nil, saving: true)
            _ = try await olga.answer("Party", .going, who: nil, plus: 1, note: nil, saving: true)
            #expect(try await told(world).isEmpty)
            for _ in 1...2 {
                _ = try await anna.answer(
                    "Party", .declined, who: nil, plus: nil, note: "Sorry", saving: true)
            }
            #expect(try await told(world).count == 1)
            _ = try await anna.answer(
                "Party", .declined, who: nil, plus: nil, note: nil, saving: true)
            #expect(try await told(world).isEmpty)
        }
    }

    @Test func `Only the last of several unsent answers is notified`() async throws {
        try await withParty { world, olga, anna in
            let ben = try await world.planner(actingAs: "ben")
            _ = try await ben.answer("Party", .maybe, who: nil, plus: nil, note: nil, saving: true)
            for answer in [Answer.going, .maybe, .declined] {
                _ = try await anna.answer(
                    "Party", answer, who: nil, plus: nil, note: nil, saving: true)
            }
            let subjects = try await told(world).compactMap { $0["subject"] as? String }
            #expect(subjects.sorted() == ["Anna isn't coming: Party", "Ben may come: Party"])
            let later = try await world.later(minutes: 1).planner(actingAs: "anna")
            _ = try await later.answer(
                "Party", .going, who: nil, plus: nil, note: nil, saving: true)
            var edit = MeetingEdit()
            edit.start = "2026-12-05T19:00"
            _ = try await olga.editMeeting("Party", edit, saving: true)
            #expect(try await told(world).isEmpty)
            #expect(try await told(world.later(minutes: 11)).count == 1)
        }
    }

    @Test func `Answers held back by quiet hours arrive in one message`() async throws {
        try await withParty { world, olga, anna in
            var edit = PolicyEdit()
            edit.quietHours = [try WeekSpan.parse("13:00-20:00")]
            _ = try await olga.setPolicy(edit, of: String?.none, saving: true)
            let ben = try await world.planner(actingAs: "ben")
            _ = try await anna.answer(
                "Party", .going, who: nil, plus: 1, note: "Cake", saving: true)
            _ = try await anna.answer(
                "Party", .going, who: nil, plus: 2, note: "Cake", saving: true)
            _ = try await ben.answer(
                "Party", .declined, who: nil, plus: 3, note: "x\n\nAnna: no", saving: true)
            #expect(try await told(world).isEmpty)
            let deliveries = try await told(world.later(minutes: 8 * 60))
            let text = deliveries.compactMap { $0["text"] as? String }.joined(separator: "\n")
            #expect(deliveries.count == 1)
            #expect(text.contains("Anna is coming, plus 2.\n> Cake\n"))
            #expect(text.contains("Ben isn't coming.\n> x\n> \n> Anna: no\n"))
            #expect(!text.contains("plus one"))
        }
    }

    @Test func `The answer of a guest removed since then is not notified`() async throws {
        try await withParty { world, olga, anna in
            _ = try await anna.answer("Party", .going, who: nil, plus: 0, note: nil, saving: true)
            _ = try await olga.uninvite(["anna"], from: "Party", saving: true)
            #expect(try await told(world).isEmpty)
        }
    }

    @Test func `Answers to a cancelled meeting are not notified`() async throws {
        try await withParty { world, olga, anna in
            _ = try await anna.answer("Party", .going, who: nil, plus: 0, note: nil, saving: true)
            _ = try await olga.cancelMeeting("Party", saving: true)
            #expect(try await told(world).isEmpty)
        }
    }

    @Test(arguments: ["", "a b c", "a going x d", "a coming 1 d", "a going 1 d e"])
    func `An invalid mark is not parsed as the mark of an answer`(_ text: String) {
        #expect(NotificationMark(text: text).answer == nil)
    }
}
