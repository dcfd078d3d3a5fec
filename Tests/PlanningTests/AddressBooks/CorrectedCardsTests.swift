import Agenda
import Interchange
import Ledger
import Planning
import Storage
import TestKit
import Testing

/// Newer versions of the cards from which one contact was made.
@Suite struct CorrectedCardsTests {
    private func card(_ uid: String, _ lines: [String], name: String = "Ann Lee") -> String {
        (["BEGIN:VCARD", "VERSION:3.0", "UID:\(uid)", "FN:\(name)", "EMAIL:ann@e.org"] + lines
            + ["END:VCARD", ""]).joined(separator: "\r\n")
    }

    private static let (one, two) = (
        ["NOTE:tea", "TEL:111", "BDAY:19900102", "ORG:Acme"],
        ["NOTE:chess", "TEL:222", "TITLE:Clerk", "ORG:Beta"]
    )

    private func ownEdits(_ report: ImportReport) -> [String] {
        report.warnings.map(\.reason).filter { $0.contains("changed here") }
    }

    @Test
    func `A correction on either card of a contact is taken, and earlier notes do not pile up`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            try await home.importFile(card("one", Self.one), named: "one.vcf")
            try await home.importFile(card("two", Self.two), named: "two.vcf")
            for note in ["green tea", "black tea"] {
                let report = try await home.importFile(
                    card("one", ["NOTE:\(note)", "TEL:112", "BDAY:19900201", "ORG:Acme"]),
                    named: "one.vcf")
                #expect(report.counts == [0, 1, 0] && ownEdits(report).isEmpty)
                let ann = try await planner.contact("Ann Lee")
                #expect(ann.note == "chess\n\n\(note)" && ann.birthday == "1990-02-01")
                #expect(ann.phones.map(\.number).sorted() == ["112", "222"])
            }
            let report = try await home.importFile(
                card("two", ["NOTE:go", "TEL:222", "TITLE:Chief", "ORG:Beta"]), named: "two.vcf")
            #expect(report.counts == [0, 1, 0] && ownEdits(report).isEmpty)
            let ann = try await planner.contact("Ann Lee")
            #expect(ann.note == "go\n\nblack tea" && ann.birthday == "1990-02-01")
            #expect(ann.organization == "Beta")
        }
    }

    @Test func `What one card no longer says, and another does, stays`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            try await home.importFile(
                card("one", Self.one + ["TEL:333", "URL:https://e.org/"]), named: "one.vcf")
            try await home.importFile(
                card("two", Self.two + ["TEL:333", "URL:https://e.org/"]), named: "two.vcf")
            try await home.importFile(card("two", ["NOTE:chess"]), named: "two.vcf")
            let ann = try await planner.contact("Ann Lee")
            #expect(ann.organization == "Acme" && ann.note == "chess\n\ntea")
            #expect(ann.phones.map(\.number).sorted() == ["111", "333"])
            let contact = try await planner.store.contact(
                PersonID(text: ann.id), of: planner.owner.id)
            #expect(contact?.card.title == "" && contact?.card.urls == ["https://e.org/"])
        }
    }

    @Test func `A second name that its card changes is replaced`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            try await home.importFile(
                card("one", []) + card("two", [], name: "Anni Holm").replacing("ann@", with: "b@"))
            _ = try await planner.mergePeople("ann@e.org", "b@e.org")
            try await home.importFile(
                card("two", [], name: "Anni Hall").replacing("ann@", with: "b@"))
            let ann = try await planner.contact("Ann Lee")
            #expect(ann.also == ["Anni Hall"])
        }
    }
}
