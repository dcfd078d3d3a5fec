import Agenda
import Planning
import TestKit
import Testing

@Suite struct MergeNamesTests {
    private static func add(
        _ name: String, _ address: String, note: String, to planner: Planner
    ) async throws -> PersonView {
        var edit = ContactEdit()
        edit.name = name
        edit.emails = [address]
        edit.note = note
        return try await planner.addPerson(edit)
    }

    @Test(arguments: [
        ("likes tea", "likes chess", "likes tea\n\nlikes chess"), ("same", "same", "same"),
        ("", "second", "second"), ("first", "", "first"),
    ])
    func `A merge keeps both notes, and equal notes only once`(
        first: String, second: String, expected: String
    ) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await Self.add("Anna Berg", "a@example.org", note: first, to: planner)
            _ = try await Self.add("Anni Holm", "b@example.org", note: second, to: planner)
            #expect(
                try await planner.mergePeople("a@example.org", "b@example.org").note == expected)
        }
    }

    @Test func `The second person's name still finds the merged person and is erased with them`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            let anna = try await Self.add("Anna Berg", "a@example.org", note: "", to: planner)
            _ = try await Self.add("Anni Holm", "b@example.org", note: "", to: planner)
            let merged = try await planner.mergePeople("a@example.org", "b@example.org")
            #expect(merged.also == ["Anni Holm"])
            for who in ["Anni Holm", "holm", "anni", "Anna Berg"] {
                #expect(try await planner.contact(who).id == anna.id)
            }
            var edit = ContactEdit()
            edit.note = "new"
            #expect(try await planner.editPerson("anni holm", edit).also == ["Anni Holm"])
            let id = try await planner.meet("Tea of Anni Holm", with: "anni")
            let report = try await planner.erasePerson("Anni Holm")
            #expect(report.name == "Anna Berg")
            #expect(try await planner.meeting(id).title == "Tea of \(report.pseudonym)")
        }
    }

    @Test func `Importing a changed card after a merge removes neither a note nor a name`()
        async throws
    {
        try await withHome { home in
            var cards = [
                SampleCard(name: "Anna Berg", emails: ["a@e.org"], uid: "one", note: "tea"),
                SampleCard(name: "Anni Holm", emails: ["b@e.org"], uid: "two", note: "chess"),
            ]
            try await home.importCards(cards)
            let planner = try await home.planner()
            _ = try await planner.mergePeople("Anna Berg", "Anni Holm")
            cards[0].phones = ["12345"]
            #expect(try await home.importCards(cards).counts == [0, 1, 1])
            let anna = try await planner.contact("Anni Holm")
            #expect(anna.name == "Anna Berg")
            #expect(anna.note == "tea\n\nchess")
            #expect(anna.phones.map(\.number) == ["12345"])
        }
    }

    @Test func `A merged card has the name parts of one person and one preferred address`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            let robert = try await Self.add("Robert Brown", "r@e.org", note: "", to: planner)
            let roberta = try await Self.add("Roberta Black", "ra@e.org", note: "", to: planner)
            _ = try await planner.meet("Games", with: "r@e.org")
            _ = try await planner.removePerson("r@e.org")
            let merged = try await planner.mergePeople("r@e.org", "Roberta Black")
            #expect(merged.id == robert.id)
            #expect(
                [merged.name, merged.given, merged.family] == ["Robert Brown", "Robert", "Brown"])
            #expect(merged.also == ["Roberta Black"])
            #expect(merged.emails.map(\.address) == ["r@e.org", "ra@e.org"])
            #expect(merged.emails.map(\.preferred) == [true, false])
            #expect(try await planner.contact(roberta.id).given == "Robert")
        }
    }

    @Test func `A merge does not keep another spelling of the same name as another name`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await Self.add("Anna Berg", "a@example.org", note: "", to: planner)
            _ = try await Self.add("Berg, ANNA", "b@example.org", note: "", to: planner)
            let merged = try await planner.mergePeople("a@example.org", "b@example.org")
            #expect(merged.also.isEmpty)
        }
    }
}
