import Agenda
import Foundation
import Planning
import Settings
import TestKit
import Testing

/// Where somebody's mail goes is not for everybody to say.
@Suite struct OthersPeopleTests {
    private func withAnna(
        _ body: (_ owner: Planner, _ anna: Planner) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let owner = try await world.planner()
            try await owner.add("Anna Aalto", "anna@example.org")
            try await body(owner, try await world.planner(actingAs: "Anna"))
            #expect(try await owner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    private func emails(_ addresses: String...) -> ContactEdit {
        var edit = ContactEdit()
        edit.emails = addresses
        return edit
    }

    private func addresses(_ planner: Planner) async throws -> [String?] {
        try await planner.meeting("Lunch").participants.map(\.address)
    }

    @Test func `A guest of the owner's is not redirected by somebody else's card`() async throws {
        try await withAnna { owner, anna in
            try await owner.create(.lunch(with: "carl@example.org"))
            let before = try await addresses(owner)
            #expect(before.last == "carl@example.org")
            try await anna.add("Carl Holm", "evil@example.org", "carl@example.org")
            #expect(try await addresses(owner) == before)
            _ = try await anna.editPerson("Carl", emails("evil@example.org"))
            #expect(try await addresses(owner) == before)
            _ = try await anna.editPerson("Carl", emails("evil@example.org", "carl@example.org"))
            #expect(try await addresses(owner) == before)
            let participants = try await owner.meeting("Lunch").participants
            #expect(participants.last?.name == "carl@example.org")
        }
    }

    @Test func `An import of somebody else's does not redirect a guest either`() async throws {
        try await withAnna { owner, anna in
            try await owner.create(.lunch(with: "carl@example.org"))
            let before = try await addresses(owner)
            let file = owner.surroundings.home.path + "/cards.vcf"
            for uid in ["", "UID:carl\r\n"] {
                let card =
                    "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Carl Holm\r\n\(uid)"
                    + "EMAIL:evil@example.org\r\nEMAIL:carl@example.org\r\nEND:VCARD\r\n"
                try card.write(toFile: file, atomically: true, encoding: .utf8)
                _ = try await anna.importPeople([file], selection: ImportSelection())
                #expect(try await addresses(owner) == before)
            }
        }
    }

    @Test func `An address that two share through two books names both, and each can be picked`()
        async throws
    {
        try await withAnna { owner, anna in
            try await owner.create(.lunch(with: "hans@example.org"))
            let hans = try await anna.add("Hans Holm", "hans@example.org")
            var dinner = MeetingRequest.lunch(with: "hans@example.org")
            dinner.title = "Dinner"
            let refused = try #require(await refusal { try await owner.create(dinner) })
            #expect(refused.code == "ambiguous_person")
            #expect(refused.candidates.count == 2)
            #expect(refused.candidates.map(\.typed).contains(hans.id))
            for candidate in refused.candidates {
                dinner.with = [candidate.typed]
                let made = try await owner.create(dinner)
                #expect(made.meeting.participants.last?.id == candidate.typed)
            }
            _ = try await owner.answer(
                "Lunch", .going, who: "hans@example.org", plus: nil, note: nil, saving: true)
            let own = try await owner.add("Hans H", "hans@example.org")
            dinner.with = ["hans@example.org"]
            #expect(try await owner.create(dinner).meeting.participants.last?.id == own.id)
            #expect(try await anna.create(dinner).meeting.participants.last?.id == hans.id)
        }
    }

    @Test func `Whom somebody made is theirs until others meet them`() async throws {
        try await withAnna { owner, anna in
            let zed = try await anna.add("Zed Zorn", "zed@example.org")
            try await anna.create(.lunch(with: "Zed"))
            _ = try await anna.editPerson("Zed", emails("new@example.org"))
            #expect(try await addresses(owner).last == "new@example.org")
            var dinner = MeetingRequest.lunch(with: zed.id)
            dinner.title = "Dinner"
            try await owner.create(dinner)
            _ = try await anna.editPerson("Zed", emails("evil@example.org"))
            let participants = try await owner.meeting("Dinner").participants
            #expect(participants.last?.address == "new@example.org")
            #expect(try await anna.contact("Zed").emails.map(\.address) == ["evil@example.org"])
        }
    }

    @Test func `Of several cards of one person the owner's is heard`() async throws {
        try await withAnna { owner, anna in
            let annas = try await anna.add("Ben Berg", "berg@example.org")
            let mine = try await owner.add("Ben B", "ben@example.org")
            _ = try await owner.mergePeople(mine.id, annas.id)
            try await owner.create(.lunch(with: "Ben B"))
            #expect(try await addresses(owner).last == "ben@example.org")
            _ = try await anna.editPerson("Ben", emails("evil@example.org"))
            #expect(try await addresses(owner).last == "ben@example.org")
            _ = try await owner.editPerson("Ben B", emails("b@example.org"))
            #expect(try await addresses(owner).last == "b@example.org")
            #expect(try await owner.meeting("Lunch").participants.last?.name == "Ben B")
        }
    }

    @Test func `A guest of one's own meetings becomes one's contact`() async throws {
        try await withAnna { _, anna in
            try await anna.create(.lunch(with: "carl@example.org"))
            let guest = try await anna.meeting("Lunch").participants.last?.id
            #expect(try await anna.add("Carl Holm", "carl@example.org").id == guest)
            #expect(try await addresses(anna).last == "carl@example.org")
        }
    }

    @Test func `Whom others meet is not made one with a guest by somebody else`() async throws {
        try await withAnna { owner, anna in
            let zed = try await anna.add("Zed Zorn", "zed@example.org")
            try await owner.create(.lunch(with: zed.id))
            var dinner = MeetingRequest.lunch(with: "guest@example.org")
            dinner.title = "Dinner"
            let guest = try await anna.create(dinner).meeting.participants.last?.id
            _ = try await anna.editPerson("Zed", emails("zed@example.org", "guest@example.org"))
            #expect(try await anna.meeting("Dinner").participants.last?.id == guest)
        }
    }

    @Test func `Who is removed leaves no word of meetings that the remover does not see`()
        async throws
    {
        try await withAnna { owner, anna in
            let dan = try await anna.add("Dan Dahl", "dan@example.org")
            var secret = MeetingRequest.lunch(with: dan.id)
            secret.title = "Secret"
            try await owner.create(secret)
            try await anna.create(.lunch(with: "Dan"))
            #expect(try await anna.removePerson("Dan").meetings.map(\.title) == ["Lunch"])
        }
    }

    @Test func `The card that is oneself is the actor's own`() async throws {
        try await withAnna { owner, anna in
            let file = owner.surroundings.home.path + "/me.vcf"
            let lines = [
                "BEGIN:VCARD", "VERSION:3.0", "FN:Anna Aalto", "EMAIL:anna@example.org",
                "END:VCARD", "",
            ]
            try lines.joined(separator: "\r\n").write(
                toFile: file, atomically: true, encoding: .utf8)
            let report = try await anna.importPeople([file], selection: ImportSelection())
            #expect(report.skipped.map(\.reason) == ["that is you: Anna Aalto <anna@example.org>"])
            #expect(try await anna.people().isEmpty)
            let known = try await owner.importPeople([file], selection: ImportSelection())
            #expect(known.skipped.isEmpty)
            #expect(try await owner.people().count == 1)
        }
    }
}
