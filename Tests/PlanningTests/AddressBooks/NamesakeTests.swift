import Agenda
import Planning
import TestKit
import Testing

/// Cards with the name of a contact, and none of its addresses.
@Suite struct NamesakeTests {
    private static let end = "they are two people now. If they are one, merge them."

    @Test(arguments: ["anna-work", nil])
    func `A new person with the name of a contact and another address is told`(
        _ uid: String?
    ) async throws {
        try await withHome { home in
            try await home.planner().add("Anna Schmidt", "anna@home.org")
            let report = try await home.importCards([
                SampleCard(name: "Anna Schmidt", emails: ["anna@work.org"], uid: uid)
            ])
            #expect(report.counts == [1, 0, 0])
            #expect(
                report.warnings.map(\.reason) == [
                    "a person called Anna Schmidt with another address is already there: "
                        + "anna@home.org; \(Self.end)"
                ])
        }
    }

    @Test func `A new person with the name of a contact is told, whoever has no address`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            try await planner.add("Anna Schmidt", "anna@home.org")
            try await planner.add("Ben Berg")
            let report = try await home.importCards([
                SampleCard(name: "Anna Schmidt", uid: "anna", phones: ["111"]),
                SampleCard(name: "Ben Berg", emails: ["ben@e.org"], uid: "ben"),
            ])
            #expect(report.counts == [2, 0, 0])
            #expect(
                report.warnings.map(\.reason) == [
                    "a person called Anna Schmidt with an address is already there: anna@home.org; "
                        + Self.end,
                    "a person called Ben Berg is already there; \(Self.end)",
                ])
        }
    }

    private static let (full, bare) = (
        SampleCard(name: "Anna Schmidt", emails: ["anna@e.org"], phones: ["0170 1"]),
        SampleCard(name: "Schmidt, Anna", phones: ["0170-1"])
    )

    @Test(arguments: [nil, "phone"], [true, false])
    func `Name and number name the person if only one of card and contact has an address`(
        _ uid: String?, _ isFullFirst: Bool
    ) async throws {
        try await withHome { home in
            var cards = isFullFirst ? [Self.full, Self.bare] : [Self.bare, Self.full]
            cards[1].uid = uid
            try await home.importCards([cards[0]])
            let report = try await home.importCards([cards[1]])
            #expect(report.imported == 0 && report.warnings.isEmpty)
            let people = try await home.planner().people()
            #expect(people.map(\.emails.count) == [1] && people.map(\.phones.count) == [1])
        }
    }

    @Test func `People with one name and number and different addresses stay two`() async throws {
        try await withHome { home in
            var other = Self.full
            other.emails = ["schmidt@e.org"]
            let report = try await home.importCards([Self.full, other])
            #expect(report.counts == [2, 0, 0] && report.warnings.count == 1)
        }
    }
}
