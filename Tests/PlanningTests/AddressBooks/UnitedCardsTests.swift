import Agenda
import Planning
import TestKit
import Testing

/// Contacts that were made of several cards: their pictures, labels, notes and organizations.
@Suite struct UnitedCardsTests {
    private func card(_ uid: String?, _ lines: String...) -> String {
        (["BEGIN:VCARD", "VERSION:3.0", "FN:Ann Lee", "EMAIL:ann@e.org"]
            + (uid.map { ["UID:\($0)"] } ?? []) + lines + ["END:VCARD", ""])
            .joined(separator: "\r\n")
    }

    /// The lines of the exported vCard file that begin with one of the given property names.
    private func exported(_ home: TestWorld, _ names: String...) async throws -> [String] {
        var text = ""
        try await home.planner().exportPeople(.vcard3) { text += $0 }
        return text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
            .filter { line in names.contains { line.hasPrefix($0) } }
    }

    private static let picture = String(repeating: "QUJD", count: 500)

    @Test(
        arguments: [("one", "two"), (nil, "two"), ("one", nil), (nil, nil)] as [(String?, String?)])
    func `Pictures and other properties of two cards are kept, each line once`(
        _ first: String?, _ second: String?
    ) async throws {
        try await withHome { home in
            try await home.importFile(
                card(first, "PHOTO;ENCODING=b;TYPE=JPEG:\(Self.picture)", "X-A:1", "X-B:same"),
                named: "one.vcf")
            try await home.importFile(card(second, "X-B:same", "X-C:2"), named: "two.vcf")
            let lines = try await exported(home, "X-", "PHOTO")
            #expect(lines.filter { $0.hasPrefix("X-") }.sorted() == ["X-A:1", "X-B:same", "X-C:2"])
            #expect(lines.count == 4)
            let other = Self.picture.replacing("QUJD", with: "REVG")
            try await home.importFile(
                card(second, "X-C:2", "PHOTO;ENCODING=b;TYPE=JPEG:\(other)"), named: "two.vcf")
            let pictures = try await exported(home, "PHOTO")
            #expect(pictures.count == 1 && pictures.first?.hasSuffix("REVG") == true)
        }
    }

    @Test func `People who are merged keep the properties of both`() async throws {
        try await withHome { home in
            try await home.importFile(
                card("one", "X-A:1") + card("two", "X-B:2").replacing("ann@", with: "lee@"))
            _ = try await home.planner().mergePeople("ann@e.org", "lee@e.org")
            let lines = try await exported(home, "X-")
            #expect(lines.sorted() == ["X-A:1", "X-B:2"])
        }
    }

    @Test func `An organization is never joined with the units of another`() async throws {
        try await withHome { home in
            try await home.importFile(card("one", "ORG:Acme;Sales"), named: "one.vcf")
            try await home.importFile(card("two", "ORG:Beta"), named: "two.vcf")
            let lines = try await exported(home, "ORG")
            #expect(lines == ["ORG:Beta"])
        }
    }

    @Test func `A table that has all units in one text does not join them`() async throws {
        try await withHome { home in
            try await home.importFile(card("one", "ORG:Acme;Sales;Berlin"))
            var table = ""
            try await home.planner().exportPeople(.csv) { table += $0 }
            let report = try await home.importFile(table, named: "book.csv")
            #expect(report.imported == 0)
            let lines = try await exported(home, "ORG")
            #expect(lines == ["ORG:Acme;Sales;Berlin"])
        }
    }

    @Test(arguments: [("one", nil), (nil, "two"), ("one", "two")] as [(String?, String?)])
    func `The notes of two sources are joined, with and without a UID`(
        _ first: String?, _ second: String?
    ) async throws {
        try await withHome { home in
            try await home.importFile(card(first, "NOTE:tea"), named: "one.vcf")
            try await home.importFile(card(second, "NOTE:chess"), named: "two.vcf")
            let notes = try await home.planner().people().map { person in
                person.note.split(separator: "\n\n").map(String.init).sorted()
            }
            #expect(notes == [["chess", "tea"]])
        }
    }

    /// The values of an exported card that have a label, each with its label.
    private func labelled(_ home: TestWorld) async throws -> [String] {
        let lines = try await exported(home, "item").map {
            $0.split(separator: ".", maxSplits: 1).map(String.init)
        }
        return Dictionary(grouping: lines) { $0[0] }.values
            .map { group in group.map { $0[1] }.joined(separator: " ") }.sorted()
    }

    @Test(
        arguments: [("one", "two"), (nil, "two"), ("one", nil), (nil, nil)] as [(String?, String?)])
    func `Each label of two cards with the same group names stays with its value`(
        _ first: String?, _ second: String?
    ) async throws {
        try await withHome { home in
            func people(_ name: String, _ label: String) -> [String] {
                ["X-ABRELATEDNAMES:\(name)", "X-ABLabel:\(label)"].map { "item1.\($0)" }
            }
            func card(_ uid: String?, _ lines: [String]) -> String {
                self.card(uid, lines.joined(separator: "\r\n"))
            }
            let same = people("Dan", "Friend").map { $0.replacing("item1", with: "item2") }
            try await home.importFile(
                card(first, people("Bob", "Friend") + same), named: "one.vcf")
            let other = card(
                second,
                people("Cid", "Friend") + people("Dan", "Friend").map { "A\($0)" }
                    + ["item3.EMAIL:lee@e.org", "item3.X-ABLabel:Engine room"])
            try await home.importFile(other, named: "two.vcf")
            let expected = [
                "EMAIL:lee@e.org X-ABLabel:Engine room",
                "X-ABRELATEDNAMES:Bob X-ABLabel:Friend", "X-ABRELATEDNAMES:Cid X-ABLabel:Friend",
                "X-ABRELATEDNAMES:Dan X-ABLabel:Friend",
            ]
            let lines = try await labelled(home)
            #expect(lines == expected)
            let again = try await home.importFile(other, named: "two.vcf")
            #expect(again.unchanged == 1)
        }
    }
}
