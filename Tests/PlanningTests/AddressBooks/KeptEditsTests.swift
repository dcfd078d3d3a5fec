import Agenda
import Planning
import TestKit
import Testing

/// Fields of contacts that were changed here and in a newer version of their file.
@Suite struct KeptEditsTests {
    private func card(_ name: String = "Ann Lee", _ lines: String...) -> String {
        (["BEGIN:VCARD", "VERSION:4.0", "FN:\(name)"] + lines + ["END:VCARD", ""])
            .joined(separator: "\r\n")
    }

    private static var edit: ContactEdit {
        var edit = ContactEdit()
        edit.name = "Anna Lee"
        edit.note = "by hand"
        edit.birthday = "1990-05-06"
        edit.zone = "Europe/Helsinki"
        edit.language = "de"
        return edit
    }

    private static let words = ["name", "note", "birthday", "time zone", "language"].map {
        "the \($0) of Ann Leigh was changed here and in the file: the version here was kept"
    }

    @Test(arguments: ["UID:ann", ""])
    func `What was changed here and in the file is kept, and told one line a field`(
        _ uid: String
    ) async throws {
        try await withHome { home in
            let lines = ["EMAIL:ann@e.org"] + (uid.isEmpty ? [] : [uid])
            let first = lines + ["NOTE:one", "BDAY:19900102", "TZ:Europe/Paris", "LANG:en"]
            let second = lines + ["NOTE:two", "BDAY:19900304", "TZ:Europe/Rome", "LANG:en-GB"]
            func text(_ name: String, _ lines: [String]) -> String {
                card(name).replacing(
                    "END:VCARD", with: (lines + ["END:VCARD"]).joined(separator: "\r\n"))
            }
            try await home.importFile(text("Ann Lee", first))
            let planner = try await home.planner()
            _ = try await planner.editPerson("Ann Lee", Self.edit)
            // A card without a UID is found by its name and its address.
            let name = uid.isEmpty ? "Ann Lee" : "Ann Leigh"
            let report = try await home.importFile(text(name, second))
            let told = Self.words.filter { !uid.isEmpty || !$0.hasPrefix("the name") }
                .map { $0.replacing("Ann Leigh", with: name) }
            #expect(report.warnings.map(\.reason) == told)
            #expect(report.warnings.kinds.count == told.count)
            #expect(report.warnings.allSatisfy { $0.line == 1 })
            let now = try await planner.contact("Anna Lee")
            #expect(now.note == "by hand" && now.birthday == "1990-05-06")
            #expect(now.tz == "Europe/Helsinki" && now.language == "de")
            let again = try await home.importFile(text(name, second))
            #expect(again.counts == [0, 0, 1] && again.warnings.isEmpty)
        }
    }

    @Test func `Two people with the same kind of change are told in one line`() async throws {
        try await withHome { home in
            func file(_ note: String) -> String {
                ["Ann", "Ben"].map { card($0, "UID:\($0)", "EMAIL:\($0)@e.org", "NOTE:\(note)") }
                    .joined()
            }
            try await home.importFile(file("first"))
            let planner = try await home.planner()
            for who in ["Ann", "Ben"] {
                var edit = ContactEdit()
                edit.note = "by hand"
                _ = try await planner.editPerson(who, edit)
            }
            let kinds = try await home.importFile(file("second")).warnings.kinds
            #expect(kinds.map(\.count) == [2])
            #expect(kinds.first?.examples.map(\.name) == ["Ben"])
        }
    }

    @Test func `What only the file has is added, and what was not changed here is replaced`()
        async throws
    {
        try await withHome { home in
            try await home.importFile(card("Ann Lee", "UID:ann", "EMAIL:ann@e.org", "NOTE:one"))
            let planner = try await home.planner()
            var edit = ContactEdit()
            edit.phones = ["123"]
            _ = try await planner.editPerson("Ann Lee", edit)
            let report = try await home.importFile(
                card(
                    "Ann Leigh", "UID:ann", "EMAIL:ann@e.org", "NOTE:two", "TZ:Europe/Paris",
                    "BDAY:19900102", "LANG:de"))
            #expect(report.warnings.map(\.reason) == ["Ann Lee is now called Ann Leigh"])
            let now = try await planner.contact("Ann Leigh")
            #expect([now.tz, now.birthday, now.language] == ["Europe/Paris", "1990-01-02", "de"])
            #expect(now.note == "two" && now.phones.map(\.number) == ["123"])
        }
    }

    @Test func `A typed contact keeps its fields when a file says others, and takes new ones`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            var edit = Self.edit
            (edit.emails, edit.zone) = (["ann@e.org"], nil)
            let id = try await planner.addPerson(edit).id
            for uid in ["UID:\(id)", "X-NOTHING:1"] {
                let report = try await home.importFile(
                    card(
                        "Anna Lee", uid, "EMAIL:ann@e.org", "EMAIL:lee@e.org", "BDAY:19900102",
                        "TZ:Europe/Paris"))
                #expect(
                    report.warnings.map(\.reason) == [
                        Self.words[2].replacing("Ann Leigh", with: "Anna Lee")
                    ])
                let now = try await planner.contact("Anna Lee")
                #expect(now.id == id && now.note == "by hand" && now.birthday == "1990-05-06")
                #expect(now.tz == "Europe/Paris")
                #expect(now.emails.map(\.address) == ["ann@e.org", "lee@e.org"])
            }
        }
    }

    @Test func `A value of another file is no change made here`() async throws {
        try await withHome { home in
            try await home.importFile(
                card("Ann Lee", "UID:ann", "EMAIL:ann@e.org", "BDAY:19900102"), named: "one.vcf")
            try await home.importFile(
                "name,email,birthday\nAnn Lee,ann@e.org,1990-03-04\n", named: "two.csv")
            let report = try await home.importFile(
                card("Ann Lee", "UID:ann", "EMAIL:ann@e.org", "BDAY:19900506"), named: "one.vcf")
            #expect(report.warnings.isEmpty)
            let birthday = try await home.planner().contact("Ann Lee").birthday
            #expect(birthday == "1990-05-06")
        }
    }

    @Test func `Edits of a merged contact stay, whichever of its cards changes`() async throws {
        try await withHome { home in
            func file(_ birthday: String) -> String {
                card("Ann Lee", "UID:one", "EMAIL:ann@e.org", "BDAY:\(birthday)")
                    + card("A. Lee", "UID:two", "EMAIL:lee@e.org", "BDAY:\(birthday)")
            }
            try await home.importFile(file("19900102"))
            let planner = try await home.planner()
            _ = try await planner.mergePeople("ann@e.org", "lee@e.org")
            var edit = ContactEdit()
            edit.birthday = "1990-05-06"
            _ = try await planner.editPerson("Ann Lee", edit)
            let report = try await home.importFile(file("19900304"))
            let told = report.warnings.filter { $0.reason.hasPrefix("the birthday of") }
            #expect(told.map(\.line) == [1])
            let birthday = try await planner.contact("Ann Lee").birthday
            #expect(birthday == "1990-05-06")
        }
    }
}
