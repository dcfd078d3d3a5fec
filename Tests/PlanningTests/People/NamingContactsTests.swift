import Agenda
import Planning
import TestKit
import Testing

/// Tests how a WHO finds contacts whose cards write their names in different ways.
@Suite struct NamingContactsTests {
    private static let cards = [
        "FN:Ben Onlyfn", "FN:Ben Ten\r\nN:Ten;Ben;;;", "FN:Ada van der Berg",
        "FN:Eva van der Berg\r\nN:van der Berg;Eva;;;", "FN:Maria Lind\r\nN:Lind;Maria;;;",
        "FN:Anna Maria Virtanen\r\nN:Virtanen;Anna;Maria;;", "FN:Cai",
        "FN:Cai Smith\r\nN:Smith;Cai;;;",
    ].map { "BEGIN:VCARD\r\nVERSION:3.0\r\n\($0)\r\nEND:VCARD\r\n" }.joined()

    @Test(arguments: ["ben", "van der berg", "maria", "berg"])
    func `A word that is part of several names is ambiguous, however the cards write the names`(
        who: String
    ) async throws {
        try await withHome { home in
            try await home.importFile(Self.cards)
            let planner = try await home.planner()
            let code = await refusalCode { _ = try await planner.contact(who) }
            #expect(code == "ambiguous_person")
        }
    }

    /// "Cai" is the whole name of one contact and a part of another's. It means the first contact,
    /// because that name cannot be written any longer; "Cai Smith" means the second.
    @Test(arguments: [
        ("cai", "Cai"), ("cai smith", "Cai Smith"), ("Ten, Ben", "Ben Ten"),
        ("onlyfn", "Ben Onlyfn"), ("anna maria", "Anna Maria Virtanen"), ("bt", "Ben Ten"),
    ])
    func `A whole name, in any word order, finds its contact`(
        who: String, name: String
    ) async throws {
        try await withHome { home in
            try await home.importFile(Self.cards)
            #expect(try await home.planner().contact(who).name == name)
        }
    }

    @Test(arguments: [
        ("nora@example.org", "nora@example.org"), ("Nora <nora@example.org>", "Nora"),
        ("Nora Nyberg <nora@example.org>", "Nora Nyberg"),
        ("<nora@example.org>", "nora@example.org"),
    ])
    func `An address that is typed as a name, or behind it, becomes the contact's address`(
        _ typed: String, _ name: String
    ) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            var edit = ContactEdit()
            edit.name = typed
            let person = try await planner.addPerson(edit)
            #expect(person.name == name)
            #expect(person.emails.map(\.address) == ["nora@example.org"])
        }
    }

    @Test(arguments: [
        ("nora@example", true), ("nora@example.org", false), ("nora@localhost", false),
    ])
    func `A domain without a dot gives a remark about the address, and is not refused`(
        _ address: String, _ isNoted: Bool
    ) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let words = "Check the address \"\(address)\": its domain has no dot."
            let made = try await planner.create(.lunch(with: address))
            #expect(made.remarks.map(\.text).contains(words) == isNoted)
            let person = try await planner.add("Nora", address)
            #expect(Planner.remarks(onAddressesOf: person).map(\.text) == (isNoted ? [words] : []))
        }
    }

    @Test func `A new contact with the address of another one is told from them by a remark`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            let nora = try await planner.add("Nora", "nora@example.org")
            #expect(try await planner.remark(onSharedAddressOf: nora) == nil)
            let eleonora = try await planner.add("Eleonora Nyberg", "Nora@Example.org")
            let remark = try await planner.remark(onSharedAddressOf: eleonora)
            #expect(remark?.text == "Nora has the same mail address.")
            #expect(remark?.advice == [.people(.merge(nora.id, eleonora.id))])
            // Only one's own address book counts, and only the owner may merge.
            try await planner.add("Carl", "carl@example.org")
            let member = try await home.planner(actingAs: "Nora")
            let own = try await member.add("Ella", "carl@example.org")
            #expect(try await member.remark(onSharedAddressOf: own) == nil)
            let again = try await member.add("Elle", "carl@example.org")
            #expect(
                try await member.remark(onSharedAddressOf: again)
                    == Remark("Ella has the same mail address."))
        }
    }
}
