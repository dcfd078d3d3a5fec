import Agenda
import Interchange
import Planning
import Settings
import TestKit
import Testing

/// Imports of address books with cards that are hard to tell apart, or that were edited here since
/// the last import.
@Suite struct OddBooksTests {
    private func card(_ lines: String...) -> String {
        (["BEGIN:VCARD", "VERSION:3.0", "FN:Ann Lee"] + lines + ["END:VCARD", ""])
            .joined(separator: "\r\n")
    }

    /// Edits the contact Ann Lee.
    private func edit(
        in home: TestWorld, _ emails: [String], _ phones: [String] = [], note: String
    ) async throws {
        var edit = ContactEdit()
        edit.emails = emails
        edit.phones = phones
        edit.note = note
        _ = try await home.planner().editPerson("Ann Lee", edit)
    }

    @Test func `The address that is used is the first one wherever contacts are listed`()
        async throws
    {
        try await withHome { home in
            try await home.importFile(
                card("EMAIL;TYPE=HOME:old@e.org", "EMAIL;TYPE=WORK,PREF:new@e.org"))
            let planner = try await home.planner()
            let lists = [
                try await planner.people(), try await planner.firstPeople(limit: 9).rows,
                [try await planner.contact("Ann Lee")],
            ]
            for people in lists {
                #expect(people.map { $0.emails.map(\.address) } == [["new@e.org", "old@e.org"]])
                #expect(people.first?.emails.map(\.preferred) == [true, false])
            }
            let guest = try await planner.knownPerson(named: "Ann Lee")
            #expect(guest.address == "new@e.org")
        }
    }

    // MARK: Telling people apart

    @Test func `Two people with the same UID and address in one file stay two people`()
        async throws
    {
        try await withHome { home in
            let cards = ["Peter", "Mary"].map {
                SampleCard(name: "\($0) Family", emails: ["fam@e.org"], uid: "7")
            }
            let report = try await home.importCards(cards)
            #expect(report.counts == [2, 0, 0])
            let words = "Mary Family has the same UID as Peter Family"
            #expect(report.warnings.contains { $0.reason.hasPrefix(words) })
            #expect(try await home.importCards(cards).counts == [0, 0, 2])
            #expect(
                try await home.addressBook() == ["Mary Family fam@e.org", "Peter Family fam@e.org"])
        }
    }

    @Test func `A later card with the same UID and address renames its person, and that is told`()
        async throws
    {
        try await withHome { home in
            try await home.importCards([
                SampleCard(name: "Bea Best", emails: ["bea@e.org"], uid: "7")
            ])
            let report = try await home.importCards([
                SampleCard(name: "Bea Bolt", emails: ["bea@e.org"], uid: "7")
            ])
            #expect(report.counts == [0, 1, 0])
            #expect(report.warnings.map(\.reason) == ["Bea Best is now called Bea Bolt"])
            #expect(try await home.addressBook() == ["Bea Bolt bea@e.org"])
        }
    }

    @Test(arguments: [("1950-01-02", [1, 1, 0]), ("1980-03-04", [2, 0, 0])])
    func `Cards of two sources with one name and address are two people if their birthdays differ`(
        _ birthday: String, _ counts: [Int]
    ) async throws {
        try await withHome { home in
            let file =
                card("UID:one", "EMAIL:ann@e.org", "BDAY:1950-01-02")
                + card("UID:two", "EMAIL:ann@e.org", "BDAY:\(birthday)")
            let first = try await home.importFile(file)
            #expect(first.counts == counts)
            #expect(try await home.importFile(file).counts == [0, 0, 2])
            #expect(try await home.planner().people().count == counts[0])
        }
    }

    @Test func `The notes of two sources are joined`() async throws {
        try await withHome { home in
            let cards = ["one", "two"].map { (uid: String) in
                SampleCard(name: "Ann Lee", emails: ["ann@e.org"], uid: uid, note: "note \(uid)")
            }
            try await home.importCards(cards)
            let notes = try await home.planner().people().map { person in
                person.note.split(separator: "\n\n").map(String.init).sorted()
            }
            #expect(notes == [["note one", "note two"]])
            #expect(try await home.importCards(cards).counts == [0, 0, 2])
        }
    }

    @Test func `Cards without a UID and without a letter in their name are not doubled`()
        async throws
    {
        try await withHome { home in
            let cards = ["?", "❤️"].map { SampleCard(name: $0, phones: ["111"]) }
            let first = try await home.importCards(cards)
            #expect(first.counts == [2, 0, 0])
            #expect(try await home.importCards(cards).counts == [0, 0, 2])
            #expect(try await home.planner().people().count == 2)
        }
    }

    @Test func `A list of Evolution is a circle and no person`() async throws {
        try await withHome { home in
            let people = ["Anna", "Ben"].map {
                SampleCard(name: "\($0) Berg", emails: ["\($0.lowercased())@e.org"])
            }
            let list = [
                "BEGIN:VCARD", "VERSION:3.0", "FN:Chess", "X-EVOLUTION-LIST:TRUE",
                "EMAIL:anna@e.org", "EMAIL:ben@e.org", "END:VCARD", "",
            ].joined(separator: "\r\n")
            let report = try await home.importFile(people.map(\.text).joined() + list)
            #expect(report.counts == [2, 0, 0] && report.warnings.isEmpty)
            #expect(report.circles.map(\.name) == ["Chess"])
            #expect(report.circles.map(\.people) == [2])
            #expect(
                try await home.addressBook() == ["Anna Berg anna@e.org", "Ben Berg ben@e.org"])
        }
    }

    @Test func `Time zones and languages that cannot be used are told and not shown`()
        async throws
    {
        try await withHome { home in
            let report = try await home.importFile(
                card("EMAIL:a@e.org", "TZ:Mars/Base", "LANG:tlh", "UID:one")
                    + card("EMAIL:b@e.org", "TZ:Nowhere", "LANG:de-AT", "UID:two")
                    + card("EMAIL:c@e.org", "TZ:+02:00", "UID:three"))
            #expect(
                report.unused.map { "\($0.what) \($0.count) \($0.line)" } == [
                    "the property TZ with an unknown time zone 2 1",
                    "the property LANG with a language without texts 1 1",
                ])
            let people = try await home.planner().people().sorted {
                $0.emails[0].address < $1.emails[0].address
            }
            #expect(people.map(\.tz) == [nil, nil, "+02:00"])
            #expect(people.map(\.language) == [nil, "de-AT", nil])
            var exported = ""
            try await home.planner().exportPeople(.vcard4) { exported += $0 }
            #expect(exported.contains("TZ:Mars/Base") && exported.contains("LANG:tlh"))
        }
    }

    @Test func `Two people with one name and address in a table become one, which is told`()
        async throws
    {
        try await withHome { home in
            let table = """
                name,email,birthday
                Ann Lee,lee@e.org,1950-01-02
                Ann Lee,lee@e.org,1980-03-04
                Ben Lee,lee@e.org,
                Ben Lee,lee@e.org,

                """
            let report = try await home.importFile(table, named: "club.csv")
            let told = report.warnings.filter { $0.reason.contains("twice") }
            #expect(
                told.map(\.reason) == [
                    "Ann Lee is in this file twice, also in line 2, with other values: both became "
                        + "one person"
                ])
            #expect(told.map(\.line) == [3])
        }
    }

    @Test func `Parts of one kind are the same only if they say the same`() async throws {
        try await withHome { home in
            let rows = ["Ann,a@e.org,1", "Ben,b@e.org,1,2", "Cid,c@e.org,1", "Dan,x,,"]
            let text = "name,email\n" + rows.joined(separator: "\n") + "\nEva,y\n"
            let report = try await home.importFile(text, named: "club.csv")
            let widths = report.warnings.kinds.filter { $0.first.reason.hasPrefix("the row has") }
            #expect(widths.map(\.count) == [2, 1] && widths.allSatisfy(\.areSame))
            let addresses = report.skipped.kinds
            #expect(addresses.map(\.count) == [2] && addresses.map(\.areSame) == [false])
        }
    }

    // MARK: Keeping edits

    @Test func `An unchanged card without a UID does not undo manual edits`() async throws {
        try await withHome { home in
            let card = SampleCard(name: "Ann Lee", emails: ["ann@e.org"], phones: ["111"])
            try await home.importCards([card])
            try await edit(in: home, ["new@e.org"], ["222"], note: "by hand")
            #expect(try await home.importCards([card]).counts == [0, 0, 1])
            #expect(try await home.addressBook() == ["Ann Lee new@e.org 222 by hand"])
        }
    }

    @Test func `A card of which only the title changed keeps everything that was edited here`()
        async throws
    {
        try await withHome { home in
            func file(_ title: String) -> String {
                card("UID:ann", "EMAIL:ann@e.org", "TEL:111", "NOTE:first", "TITLE:\(title)")
            }
            try await home.importFile(file("Clerk"))
            try await edit(in: home, ["new@e.org"], ["222"], note: "by hand")
            #expect(try await home.importFile(file("Chief")).counts == [0, 1, 0])
            #expect(try await home.addressBook() == ["Ann Lee new@e.org 222 by hand"])
            var exported = ""
            try await home.planner().exportPeople(.vcard3) { exported += $0 }
            #expect(exported.contains("TITLE:Chief"))
        }
    }

    @Test func `Of two changes of a value the one made here counts, and changed lists are joined`()
        async throws
    {
        try await withHome { home in
            var card = SampleCard(
                name: "Ann Lee", emails: ["a@e.org", "b@e.org"], uid: "ann", note: "first")
            try await home.importCards([card])
            try await edit(in: home, ["a@e.org", "b@e.org", "c@e.org"], note: "by hand")
            card.emails = ["a@e.org", "d@e.org"]
            card.note = "second"
            #expect(try await home.importCards([card]).counts == [0, 1, 0])
            #expect(try await home.addressBook() == ["Ann Lee a@e.org,c@e.org,d@e.org  by hand"])
        }
    }

    @Test(arguments: [
        ("2026-11-02T10:00:00Z", "20261101T100000Z", false),
        ("20261101T100000Z", "2026-11-02T10:00:00.5Z", true),
        ("20261101T100000Z", "20261101T100000Z", true),
        ("20261102T100000Z", "20261101T100000+0100", true),
        ("20261102T100000Z", "yesterday", true),
    ])
    func `A card that is older than the one imported before changes nothing, and is named`(
        _ first: String, _ second: String, _ isTaken: Bool
    ) async throws {
        try await withHome { home in
            try await home.importFile(card("UID:ann", "EMAIL:ann@e.org", "TEL:111", "REV:\(first)"))
            let report = try await home.importFile(
                card("UID:ann", "EMAIL:old@e.org", "TEL:222", "REV:\(second)"))
            #expect(report.counts == (isTaken ? [0, 1, 0] : [0, 0, 1]))
            #expect(
                try await home.addressBook()
                    == [isTaken ? "Ann Lee old@e.org 222" : "Ann Lee ann@e.org 111"])
            let words = "this card of Ann Lee is older than the one imported before"
            #expect(report.warnings.contains { $0.reason.hasPrefix(words) } == !isTaken)
            let newest = card("UID:ann", "EMAIL:x@e.org", "REV:20270101T000000Z")
            #expect(try await home.importFile(newest).counts == [0, 1, 0])
        }
    }
}
