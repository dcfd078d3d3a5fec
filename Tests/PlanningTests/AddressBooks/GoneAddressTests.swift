import Agenda
import Planning
import TestKit
import Testing

/// Addresses that a newer version of a file no longer has.
@Suite struct GoneAddressTests {
    private static let head = "name,email\n"

    private static func told(_ name: String, _ address: String) -> String {
        "\(name) no longer has \(address) in the file, so it was removed here, too"
    }

    private func card(_ emails: String...) -> SampleCard {
        SampleCard(name: "Bea Best", emails: emails, uid: "bea")
    }

    @Test func `An address that a card no longer has is removed, and that is told`() async throws {
        try await withHome { home in
            try await home.importCards([card("bea@e.org", "bea@old.org")])
            let report = try await home.importCards([card("bea@e.org", "bea@new.org")])
            #expect(report.warnings.map(\.reason) == [Self.told("Bea Best", "bea@old.org")])
            #expect(try await home.addressBook() == ["Bea Best bea@e.org,bea@new.org"])
        }
    }

    @Test func `An address that was typed here before a card had it stays without the card`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            try await planner.add("Bea Best", "bea@own.org")
            try await home.importCards([card("bea@own.org", "bea@e.org")])
            var edit = ContactEdit()
            edit.emails = ["bea@own.org", "bea@e.org", "bea@late.org"]
            _ = try await planner.editPerson("Bea", edit)
            try await home.importCards([card("bea@own.org", "bea@e.org", "bea@late.org")])
            let report = try await home.importCards([card("bea@new.org")])
            #expect(report.warnings.map(\.reason) == [Self.told("Bea Best", "bea@e.org")])
            let book = try await home.addressBook()
            #expect(book == ["Bea Best bea@late.org,bea@new.org,bea@own.org"])
        }
    }

    @Test func `An address that a table has stays when a card no longer has it`() async throws {
        try await withHome { home in
            try await home.importCards([card("bea@e.org", "bea@old.org")])
            try await home.importFile(
                Self.head + "Bea Best,bea@e.org;bea@old.org\n", named: "club.csv")
            let report = try await home.importCards([card("bea@e.org")])
            #expect(report.warnings.isEmpty)
            #expect(try await home.addressBook() == ["Bea Best bea@e.org,bea@old.org"])
        }
    }

    @Test func `A row of a table removes no address`() async throws {
        try await withHome { home in
            try await home.importFile(
                Self.head + "Bea Best,bea@e.org;bea@old.org\n", named: "club.csv")
            let report = try await home.importFile(
                Self.head + "Bea Best,bea@e.org;bea@new.org\n", named: "club.csv")
            #expect(report.counts == [0, 1, 0] && report.warnings.isEmpty)
            let book = try await home.addressBook()
            #expect(book == ["Bea Best bea@e.org,bea@new.org,bea@old.org"])
        }
    }

    @Test func `An address is removed from a merged contact when its card no longer has it`()
        async throws
    {
        try await withHome { home in
            var cards = [
                SampleCard(name: "Ann Lee", emails: ["ann@e.org", "both@e.org"], uid: "one"),
                SampleCard(name: "A. Lee", emails: ["lee@e.org", "both@e.org"], uid: "two"),
            ]
            try await home.importCards(cards)
            _ = try await home.planner().mergePeople("ann@e.org", "lee@e.org")
            cards[0].emails = ["new@e.org"]
            cards[1].emails = ["both@e.org"]
            let report = try await home.importCards(cards)
            #expect(
                report.warnings.map(\.reason) == [
                    Self.told("Ann Lee", "ann@e.org"), Self.told("A. Lee", "lee@e.org"),
                ])
            #expect(report.warnings.kinds.map(\.count) == [2])
            #expect(try await home.addressBook() == ["Ann Lee both@e.org,new@e.org"])
        }
    }

    @Test func `A row of which only the address changed is a new person, and that is told`()
        async throws
    {
        try await withHome { home in
            try await home.importFile(Self.head + "Bea Best,bea@old.org\n", named: "club.csv")
            let report = try await home.importFile(
                Self.head + "Bea Best,bea@new.org\n", named: "club.csv")
            #expect(report.counts == [1, 0, 0])
            #expect(
                report.warnings.map(\.reason) == [
                    "a person called Bea Best with another address is already there: bea@old.org; "
                        + "they are two people now. If they are one, merge them."
                ])
        }
    }
}
