import Agenda
import Foundation
import Interchange
import Ledger
import Planning
import Settings
import Storage
import TestKit
import Testing

@Suite("Merging people")
struct MergeTests {
    @Test func `A merge keeps the first person and adds the values of the second`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let anna = try await planner.add("Anna Virtanen", "anna@example.org")
            let other = try await planner.add("A. Virtanen", "av@example.com")
            _ = try await planner.addCircle("Chess", members: ["av@example.com"])
            let merged = try await planner.mergePeople("anna@example.org", "av@example.com")
            #expect(merged.id == anna.id)
            #expect(merged.name == "Anna Virtanen")
            #expect(merged.emails.map(\.address) == ["anna@example.org", "av@example.com"])
            #expect(merged.emails.map(\.preferred) == [true, false])
            #expect(try await planner.people().map(\.id) == [anna.id])
            #expect(try await planner.circle("Chess").1.map(\.id) == [anna.id])
            #expect(try await planner.contact("av@example.com").id == anna.id)
            #expect(try await planner.store.person(.init(text: other.id))?.id.text == anna.id)
            #expect(try await planner.contact(String(other.id.prefix(8))).id == anna.id)
        }
    }

    @Test func `Who was taken out of a circle stays out of it after a merge`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let anna = try await planner.add("Anna Virtanen", "anna@example.org")
            let other = try await planner.add("A. Virtanen", "av@example.com")
            for (name, left) in [("Chess", other.id), ("Choir", anna.id)] {
                _ = try await planner.addCircle(name, members: [other.id])
                let circle = try await planner.circle(named: name)
                _ = try await planner.addMembers([PersonID(text: left)], to: circle)
                _ = try await planner.removeMembers([PersonID(text: left)], from: circle)
            }
            _ = try await planner.mergePeople("anna@example.org", "av@example.com")
            let report = try await home.importFile(
                "name,email,labels\nAnna Virtanen,anna@example.org,Chess ::: Choir\n",
                named: "club.csv")
            #expect(report.circles.map(\.name) == ["Chess", "Choir"])
            #expect(report.circles.map(\.added) == [0, 0])
            #expect(report.circles.map(\.people) == [0, 1])
            #expect(report.warnings.count == 1)
        }
    }

    @Test(arguments: ["anna", "anya"], ["anna", "anya"])
    func `Who was invited by name under one of two names does not go with their circle`(
        named: String, answering: String
    ) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna", "anna@example.org")
            _ = try await planner.add("Anya", "anya@example.org")
            _ = try await planner.addCircle("Chess", members: [named == "anna" ? "anya" : "anna"])
            let id = try await planner.meet("Games", with: named)
            _ = try await planner.invite(["circle:Chess"], to: id, saving: true)
            // The entry of the person who has answered is the one that stays.
            _ = try await planner.answer(
                id, .going, who: answering, plus: nil, note: nil, saving: true)
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            let code = await refusalCode {
                _ = try await planner.uninvite(["circle:Chess"], from: id, saving: true)
            }
            #expect(code == "not_a_participant")
            let guests = try await planner.meeting(id).participants
            #expect(guests.map(\.name) == ["Olga Owner", "Anna"])
        }
    }

    @Test(arguments: ["anna", "anya"])
    func `Who was removed under one name goes with the circle that invited the other`(
        removed: String
    ) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna", "anna@example.org")
            _ = try await planner.add("Anya", "anya@example.org")
            let member = removed == "anna" ? "anya" : "anna"
            _ = try await planner.addCircle("Chess", members: [member])
            let id = try await planner.meet("Games", with: removed)
            _ = try await planner.uninvite([removed], from: id, saving: true)
            _ = try await planner.invite(["circle:Chess"], to: id, saving: true)
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            _ = try await planner.uninvite(["circle:Chess"], from: id, saving: true)
            let guests = try await planner.meeting(id).participants
            #expect(guests.map(\.name) == ["Olga Owner"])
        }
    }

    @Test func `Who was invited with circles under both names goes with them`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna", "anna@example.org")
            _ = try await planner.add("Anya", "anya@example.org")
            _ = try await planner.addCircle("Chess", members: ["anna", "anya"])
            let id = try await planner.meet("Games", with: "circle:Chess")
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            _ = try await planner.uninvite(["circle:Chess"], from: id, saving: true)
            let guests = try await planner.meeting(id).participants
            #expect(guests.map(\.name) == ["Olga Owner"])
        }
    }

    @Test func `An unchanged card does not undo an edit made after a merge`() async throws {
        try await withHome { home in
            let cards = [
                SampleCard(name: "Anna Virtanen", emails: ["anna@example.org"], uid: "one"),
                SampleCard(name: "A. Virtanen", emails: ["av@example.com"], uid: "two"),
            ]
            try await home.importCards(cards)
            let planner = try await home.planner()
            _ = try await planner.mergePeople("anna@example.org", "av@example.com")
            var edit = ContactEdit()
            edit.emails = ["anna@example.org"]
            _ = try await planner.editPerson("anna@example.org", edit)
            #expect(try await home.importCards(cards).counts == [0, 0, 2])
            #expect(try await home.addressBook() == ["Anna Virtanen anna@example.org"])
        }
    }

    @Test func `A merged person is not notified twice, and old deliveries show the kept person`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            let anna = try await planner.add("Anna", "anna@example.org")
            _ = try await planner.add("Anya", "anya@example.org")
            let title = try await planner.meet("Games", with: "anna@example.org")
            #expect(try await home.deliver().count == 1)
            let later = home.later(minutes: 5)
            let next = try await later.planner()
            _ = try await next.invite(["anya@example.org"], to: title, saving: true)
            _ = try await next.mergePeople("anna@example.org", "anya@example.org")
            #expect(try await later.deliver().isEmpty)
            #expect(try await next.brokenRules() == [])
            let rows = try await next.deliveries(of: title, to: nil).map(\.delivery)
            #expect(Set(rows.map(\.person)) == [anna.id, next.owner.id.text])
            let open = rows.filter { $0.state == .planned && $0.person == anna.id }
            #expect(open.map(\.kind) == [.reminder, .reminder])
        }
    }

    @Test func `A person who was invited under the merged name gets a change once`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna", "anna@example.org")
            _ = try await planner.add("Anya", "anya@example.org")
            let id = try await planner.meet("Games", with: "anya@example.org")
            _ = try await home.deliver()
            let later = home.later(minutes: 5)
            let next = try await later.planner()
            _ = try await next.mergePeople("anna@example.org", "anya@example.org")
            var edit = MeetingEdit()
            edit.start = "2026-12-02T18:00"
            _ = try await next.editMeeting(id, edit, saving: true)
            let lines = try await later.deliver()
            #expect(lines.map { $0["kind"] as? String } == ["change"])
            #expect((lines.first?["text"] as? String)?.contains("2 December") == true)
            #expect((lines.first?["to"] as? [String: String])?["name"] == "Anna")
            #expect(try await next.brokenRules() == [])
        }
    }

    @Test(arguments: [
        (Answer.going, Answer.invited, Answer.going), (.invited, .declined, .declined),
        (.maybe, .going, .going), (.maybe, .invited, .maybe), (.going, .declined, .declined),
    ])
    func `A merge keeps the more certain answer, or the later one of two`(
        first: Answer, second: Answer, expected: Answer
    ) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna", "anna@example.org")
            _ = try await planner.add("Anya", "anya@example.org")
            let id = try await planner.meet("Games", with: "anna@example.org", "anya@example.org")
            for (who, answer, minutes) in [("anna", first, 1), ("anya", second, 2)] {
                guard answer != .invited else { continue }
                _ = try await home.later(minutes: Int64(minutes)).planner()
                    .answer(id, answer, who: who, plus: 1, note: who, saving: true)
            }
            let last = try await home.later(minutes: 3).planner()
            _ = try await last.mergePeople("anna@example.org", "anya@example.org")
            let guests = try await last.meeting(id).participants.filter { $0.name == "Anna" }
            #expect(guests.map(\.answer) == [expected])
            #expect(try await last.meeting(id).participants.count == 2)
            #expect(try await last.brokenRules() == [])
        }
    }

    @Test func `All ids of a chain of merges lead to the last person`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let one = try await planner.add("One", "one@example.org")
            let two = try await planner.add("Two", "two@example.org")
            let three = try await planner.add("Three", "three@example.org")
            _ = try await planner.mergePeople("two@example.org", "one@example.org")
            _ = try await planner.mergePeople("three@example.org", "two@example.org")
            for id in [one.id, two.id, three.id] {
                #expect(try await planner.store.person(.init(text: id))?.id.text == three.id)
            }
            #expect(try await planner.contact("three").emails.count == 3)
        }
    }

    @Test func `Importing the files again does not undo a merge`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let file = home.home.path + "/two.vcf"
            try Self.cards.write(toFile: file, atomically: true, encoding: .utf8)
            _ = try await planner.importPeople([file], selection: ImportSelection())
            _ = try await planner.mergePeople("bob@example.org", "robert@example.com")
            let again = try await planner.importPeople([file], selection: ImportSelection())
            #expect(again.unchanged == 2)
            let people = try await planner.people()
            #expect(people.map(\.name) == ["Bob Smith"])
            #expect(people.first?.emails.count == 2)
        }
    }

    private static let cards = """
        BEGIN:VCARD
        VERSION:4.0
        UID:one
        FN:Bob Smith
        EMAIL:bob@example.org
        END:VCARD
        BEGIN:VCARD
        VERSION:4.0
        UID:two
        FN:Robert Smythe
        EMAIL:robert@example.com
        END:VCARD

        """

    @Test func `Two guests who are in no address book can be merged`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let id = try await planner.meet("Games", with: "g@example.org", "h@example.org")
            let merged = try await planner.mergePeople("g@example.org", "h@example.org")
            #expect(merged.emails.map(\.address) == ["g@example.org"])
            #expect(try await planner.meeting(id).participants.count == 2)
            #expect(try await home.deliver().count == 1)
            #expect(try await planner.brokenRules() == [])
        }
    }

    @Test(arguments: [true, false])
    func `Merging a guest and a contact gives one contact with both addresses`(
        isGuestKept: Bool
    ) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna", "anna@example.org")
            let id = try await planner.meet("Games", with: "g@example.org")
            let pair = ["g@example.org", "anna@example.org"]
            let order = isGuestKept ? pair : pair.reversed()
            let merged = try await planner.mergePeople(order[0], order[1])
            #expect(merged.name == "Anna")
            #expect(merged.emails.map(\.address) == order)
            var edit = ContactEdit()
            edit.note = "two addresses"
            #expect(try await planner.editPerson("anna", edit).emails.count == 2)
            for address in order {
                #expect(try await planner.contact(address).id == merged.id)
            }
            #expect(
                try await planner.meeting(id).participants.map(\.name) == ["Olga Owner", "Anna"])
            #expect(try await planner.brokenRules() == [])
        }
    }

    @Test func `A person cannot be merged with themselves or with the owner`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna", "anna@example.org")
            let same = await refusalCode { _ = try await planner.mergePeople("anna", "anna") }
            #expect(same == "same_person")
            let own = await refusalCode {
                _ = try await planner.mergePeople("anna", "Olga Owner")
            }
            #expect(own == "is_owner")
        }
    }
}
