import Agenda
import Planning
import TestKit
import Testing

/// Changes made by hand to contacts that came from a file without UIDs.
@Suite struct OwnEditsTests {
    private static let head = "name,email,phone,note,birthday\n"

    private static func edit(_ change: (inout ContactEdit) -> Void) -> ContactEdit {
        var edit = ContactEdit()
        change(&edit)
        return edit
    }

    @Test func `A changed row of a table keeps what was edited by hand`() async throws {
        try await withHome { home in
            let row = "Bea Best,bea@e.org;bea@old.org"
            let first = try await home.importFile(
                Self.head + "\(row),12345,from the file,1980-01-02\n", named: "club.csv")
            #expect(first.counts == [1, 0, 0])
            let planner = try await home.planner()
            let bea = try await planner.person(named: "Bea")
            _ = try await planner.editPerson(
                bea,
                Self.edit {
                    $0.note = "vegetarian"
                    $0.birthday = "1981-01-02"
                    $0.zone = "Europe/Helsinki"
                    $0.emails = ["bea@e.org"]
                })
            let second = try await home.importFile(
                Self.head + "\(row),67890,from the file,1980-01-02\n", named: "club.csv")
            #expect(second.counts == [0, 1, 0])
            let now = try await planner.contact(bea)
            #expect(now.note == "vegetarian")
            #expect(now.birthday == "1981-01-02")
            #expect(now.tz == "Europe/Helsinki")
            #expect(now.emails.map(\.address) == ["bea@e.org"])
            #expect(now.phones.map(\.number) == ["12345", "67890"])
            #expect(try await planner.people().count == 1)
        }
    }

    @Test func `A value that the file changes is taken, also back again`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            for note in ["first", "second", "first"] {
                try await home.importFile(
                    "name,email,note\nBea Best,bea@e.org,\(note)\n", named: "club.csv")
                #expect(try await planner.people().map(\.note) == [note])
            }
        }
    }

    @Test func `Two rows of one person change nothing again, and tell no change of the file`()
        async throws
    {
        try await withHome { home in
            func table(_ phone: String) -> String {
                Self.head + "Bea Best,bea@e.org,\(phone),one,\nBea Best,bea@e.org,222,two,\n"
                    + "Bea Best,bea@e.org,222,three,\n"
            }
            try await home.importFile(table("111"), named: "club.csv")
            let planner = try await home.planner()
            let bea = try await planner.person(named: "Bea")
            _ = try await planner.editPerson(bea, Self.edit { $0.note = "mine" })
            let again = try await home.importFile(table("111"), named: "club.csv")
            #expect(again.counts == [0, 0, 3] && again.warnings.isEmpty)
            let other = try await home.importFile(table("333"), named: "club.csv")
            #expect(other.counts == [0, 1, 2] && other.warnings.isEmpty)
            let now = try await planner.contact(bea)
            #expect(now.note == "mine" && now.phones.map(\.number) == ["111", "222", "333"])
        }
    }

    @Test func `Two tables of the same people leave an edited note alone in turns`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let files = [
                ("name,email,note\nBea Best,bea@e.org,from one\n", "one.csv"),
                ("name,email,phone\nBea Best,bea@e.org,12345\n", "two.csv"),
            ]
            for (text, name) in files { try await home.importFile(text, named: name) }
            let bea = try await planner.person(named: "Bea")
            _ = try await planner.editPerson(bea, Self.edit { $0.note = "mine" })
            for (text, name) in files {
                try await home.importFile(text, named: name)
                try await home.importFile(
                    text.replacing("Best,bea@e.org", with: "Best,bea@e.org;b@e.org"), named: name)
            }
            #expect(try await planner.contact(bea).note == "mine")
            #expect(try await planner.people().count == 1)
        }
    }

    @Test func `A contact that was renamed or lost its address by hand is found by its next row`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            try await home.importFile(
                "name,email\nBea Best,bea@e.org\nCid Cerf,cid@e.org\n", named: "club.csv")
            _ = try await planner.editPerson(
                try await planner.person(named: "Bea"), Self.edit { $0.name = "Beatrice Best" })
            _ = try await planner.editPerson(
                try await planner.person(named: "Cid"), Self.edit { $0.emails = ["cid@new.org"] })
            let report = try await home.importFile(
                "name,email,phone\nBea Best,bea@e.org,1234\nCid Cerf,cid@e.org,5678\n",
                named: "club.csv")
            #expect(report.counts == [0, 2, 0])
            let book = try await home.addressBook()
            #expect(book == ["Beatrice Best bea@e.org 1234", "Cid Cerf cid@new.org 5678"])
        }
    }

    @Test func `Who was taken out of a circle by hand stays out of it`() async throws {
        try await withHome { home in
            func card(_ name: String, _ phone: String) -> String {
                SampleCard(name: name, emails: ["\(name)@example.org"], uid: name).text.replacing(
                    "END:VCARD", with: "TEL:\(phone)\r\nCATEGORIES:Choir\r\nEND:VCARD")
            }
            try await home.importFile(card("Anna", "1") + card("Ben", "2"))
            let planner = try await home.planner()
            let choir = try await planner.circle(named: "Choir")
            let ben = try await planner.person(named: "Ben")
            _ = try await planner.removeMembers([ben.id], from: choir)
            let report = try await home.importFile(
                card("Anna", "1") + card("Ben", "3") + card("Cid", "4"))
            #expect(report.circles.map(\.added) == [1] && report.circles.map(\.people) == [2])
            #expect(report.warnings.isEmpty)
            // The category is new on a card without a UID.
            let row = "name,email,labels\nBen,ben@example.org,Choir\n"
            let other = try await home.importFile(row, named: "club.csv")
            #expect(other.circles.map(\.added) == [0] && other.circles.map(\.people) == [2])
            #expect(
                other.warnings.map(\.reason).contains { $0.hasPrefix("1 person of \"Choir\"") })
            _ = try await planner.addMembers([ben.id], to: choir)
            _ = try await planner.removeMembers([ben.id], from: choir)
            _ = try await planner.addMembers([ben.id], to: choir)
            let again = try await home.importFile(
                row.replacing("org,", with: "org;b@example.org,").replacing("Choir", with: "choir"),
                named: "club.csv")
            #expect(again.warnings.isEmpty && again.circles.isEmpty)
            #expect(try await planner.circle("Choir").1.count == 3)
        }
    }

    @Test func `Skipped people are told one line a kind, before nobody reads on`() async throws {
        try await withHome { home in
            let rows = (0..<1500).map { "Name \($0),no address \($0)\n" }.joined()
            let report = try await home.importFile(
                "name,email\n" + rows + String(repeating: "x", count: 3000) + ",long@e.org\n",
                named: "club.csv")
            #expect(report.skipped.placeCount == 1501)
            let kinds = report.skipped.kinds
            #expect(kinds.map(\.count) == [1, 1500])
            #expect(kinds[0].first.reason.contains("is not imported."))
        }
    }
}
