import Agenda
import Foundation
import Planning
import Settings
import TestKit
import Testing

/// The owner, who is a person like others but no contact.
@Suite struct OwnerTests {
    private func withOwner(_ body: (TestWorld) async throws -> Void) async throws {
        try await withHome { home in
            try "owner.name: Olga Owner\nowner.address: olga@e.org\n".write(
                toFile: home.home.configuration, atomically: true, encoding: .utf8)
            try await body(home)
        }
    }

    @Test(arguments: ["Owner, Olga", "OLGA OWNER", "olga@e.org", "Olga", "Olga Maria Owner"])
    func `The owner's own card is skipped with a reason`(name: String) async throws {
        try await withOwner { home in
            let cards = [
                SampleCard(name: "Anna", emails: ["a@e.org"]),
                SampleCard(name: name, emails: ["other@e.org", "Olga@E.org"]),
            ]
            let report = try await home.importCards(cards)
            #expect(report.counts == [1, 0, 0])
            #expect(report.skipped.map(\.line) == [6])
            #expect(
                report.skipped.map(\.reason) == ["this card is your own: Olga Owner <olga@e.org>"])
            #expect(try await home.addressBook() == ["Anna a@e.org"])
            let alone = try await home.importCards([cards[1]])
            #expect(alone.counts == [0, 0, 0])
            #expect(alone.read == 1)
        }
    }

    @Test func `Another person at the owner's address and a namesake become contacts`() async throws
    {
        try await withOwner { home in
            let report = try await home.importCards([
                SampleCard(name: "Otto Owner", emails: ["olga@e.org"]),
                SampleCard(name: "Olga Owner", emails: ["namesake@e.org"]),
            ])
            #expect(report.counts == [2, 0, 0])
            #expect(report.skipped.isEmpty)
            #expect(
                report.warnings.map(\.reason) == [
                    "Otto Owner has your own address, olga@e.org, so you will receive their "
                        + "notifications"
                ])
        }
    }

    @Test(arguments: ["Owner, Olga", "OLGA OWNER", "olga@e.org", "Olga"])
    func `Adding the owner as a contact is refused with a reason`(name: String) async throws {
        try await withOwner { home in
            let planner = try await home.planner()
            let refused = await refusal { _ = try await planner.add(name, "Olga@e.org") }
            #expect(refused?.code == "is_you")
            #expect(refused?.message.hasPrefix("This is you: Olga Owner <olga@e.org>.") == true)
            let sought = await refusal { _ = try await planner.contact(planner.owner) }
            #expect(sought?.code == "is_you")
            _ = try await planner.add("Otto Owner", "olga@e.org")
            _ = try await planner.add("Olga Owner", "namesake@e.org")
            #expect(try await planner.people().count == 2)
        }
    }

    @Test func `The owner is found by part of the name, like others with that name`() async throws {
        try await withOwner { home in
            let planner = try await home.planner(actingAs: "olg")
            #expect(planner.actor.id == planner.owner.id)
            _ = try await planner.add("Anna Aalto", "a@e.org")
            let anna = try await home.planner(actingAs: "anna")
            #expect(await refusalCode { _ = try await anna.guest("olg") } == "unknown_person")
            let id = try await anna.meet("Tea", with: "Olga Owner")
            #expect(try await anna.meeting(id).participants.map(\.name).last == "Olga Owner")
            _ = try await planner.add("Olga Other", "other@e.org")
            for who in ["olga", "OLG"] {
                let code = await refusalCode { _ = try await home.planner(actingAs: who) }
                #expect(code == "ambiguous_person")
            }
            #expect(try await home.planner(actingAs: "other").actor.name == "Olga Other")
            #expect(try await home.planner(actingAs: "owner").actor.name == "Olga Owner")
        }
    }
}
