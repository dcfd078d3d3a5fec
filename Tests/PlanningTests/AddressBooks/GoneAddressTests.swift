import Agenda
import Planning
import TestKit
import Testing

/// Addresses that a newer version of a file no longer has.
@Suite struct GoneAddressTests {
    private static let head = "name,email\n"

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
            try await home.importCards(cards)
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
