import Agenda
import Foundation
import Planning
import Settings
import TestKit
import Testing

/// Tests that an account cannot redirect the mail of other accounts' guests.
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

    @Test func `A contact of another account does not redirect the owner's guest`() async throws {
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

    @Test func `An import by another account does not redirect the owner's guest`() async throws {
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

    @Test func `An address in somebody else's address book means the guest with that address`()
        async throws
    {
        try await withAnna { owner, anna in
            let lunch = try await owner.create(.lunch(with: "hans@example.org")).meeting
            let hans = try await anna.add("Hans Holm", "hans@example.org")
            var dinner = MeetingRequest.lunch(with: "hans@example.org")
            dinner.title = "Dinner"
            let made = try await owner.create(dinner).meeting
            #expect(made.participants.last?.id == lunch.participants.last?.id)
            #expect(made.participants.last?.id != hans.id)
            _ = try await owner.answer(
                "Lunch", .going, who: "hans@example.org", plus: nil, note: nil, saving: true)
            let own = try await owner.add("Hans H", "hans@example.org")
            dinner.with = ["hans@example.org"]
            #expect(try await owner.create(dinner).meeting.participants.last?.id == own.id)
            #expect(try await anna.create(dinner).meeting.participants.last?.id == hans.id)
        }
    }

    @Test func `A person's creator controls their address until others invite them`() async throws {
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

    @Test func `Of several contacts of one person, the owner's decides the address`() async throws {
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

    @Test func `A guest of an account's own meeting becomes the account's contact`() async throws {
        try await withAnna { _, anna in
            try await anna.create(.lunch(with: "carl@example.org"))
            let guest = try await anna.meeting("Lunch").participants.last?.id
            #expect(try await anna.add("Carl Holm", "carl@example.org").id == guest)
            #expect(try await addresses(anna).last == "carl@example.org")
        }
    }

    @Test func `A contact whom others have invited is not merged with another account's guest`()
        async throws
    {
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

    @Test func `Removing a contact lists only meetings that the actor may see`()
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

    @Test func `An import skips the actor's own card, also if the actor is not the owner`()
        async throws
    {
        try await withAnna { owner, anna in
            let file = owner.surroundings.home.path + "/me.vcf"
            let lines = [
                "BEGIN:VCARD", "VERSION:3.0", "FN:Anna Aalto", "EMAIL:anna@example.org",
                "END:VCARD", "",
            ]
            try lines.joined(separator: "\r\n").write(
                toFile: file, atomically: true, encoding: .utf8)
            let report = try await anna.importPeople([file], selection: ImportSelection())
            #expect(
                report.skipped.map(\.reason)
                    == ["this card is your own: Anna Aalto <anna@example.org>"])
            #expect(try await anna.people().isEmpty)
            let known = try await owner.importPeople([file], selection: ImportSelection())
            #expect(known.skipped.isEmpty)
            #expect(try await owner.people().count == 1)
        }
    }
}
