import Agenda
import Foundation
import Interchange
import Planning
import Settings
import TestKit
import Testing

@Suite struct ImportIdentityTests {
    @Test func `A card with a new name at a known address is a new person and changes no meeting`()
        async throws
    {
        try await withHome { home in
            try await home.importCards([SampleCard(name: "Peter Family", emails: ["fam@e.org"])])
            let planner = try await home.planner()
            let id = try await planner.meet("Games", with: "peter")
            let report = try await home.importCards(
                [SampleCard(name: "Mary Family", emails: ["fam@e.org"])])
            #expect(report.counts == [1, 0, 0])
            #expect(
                try await home.addressBook() == ["Mary Family fam@e.org", "Peter Family fam@e.org"])
            #expect(try await planner.meeting(id).participants.map(\.name).last == "Peter Family")
        }
    }

    @Test(arguments: [
        "4fbe8971-0bc3-424c-9c26-36c3e1eff6b1", "4FBE8971-0BC3-424C-9C26-36C3E1EFF6B1",
        "urn:uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1",
    ])
    func `A UUID names the same person in every spelling`(_ uid: String) async throws {
        try await withHome { home in
            let known = "4fbe8971-0bc3-424c-9c26-36c3e1eff6b1"
            let others = [
                known, known.uppercased(), "urn:uuid:" + known, "urn:uuid:" + known.uppercased(),
            ]
            for (number, other) in (others + [uid]).enumerated() {
                try await home.importCards([
                    SampleCard(name: "Ann Lee", emails: ["ann\(number)@e.org"], uid: other)
                ])
            }
            let book = try await home.addressBook()
            #expect(book == ["Ann Lee ann4@e.org"])
        }
    }

    @Test func `An unchanged card does not undo manual edits`() async throws {
        try await withHome { home in
            let card = SampleCard(name: "Ann Lee", emails: ["ann@e.org"], uid: "u0", phones: ["1"])
            try await home.importCards([card])
            var edit = ContactEdit()
            edit.emails = ["new@e.org"]
            edit.note = "by hand"
            _ = try await home.planner().editPerson("Ann Lee", edit)
            #expect(try await home.importCards([card]).counts == [0, 0, 1])
            #expect(try await home.addressBook() == ["Ann Lee new@e.org 1 by hand"])
            var changed = card
            changed.phones = ["2"]
            #expect(try await home.importCards([changed]).counts == [0, 1, 0])
        }
    }

    @Test func `Two people with the same short UID in several files stay two people`()
        async throws
    {
        try await withHome { home in
            let bea = SampleCard(name: "Bea Best", emails: ["bea@e.org"], uid: "1")
            let carl = SampleCard(name: "Carl Third", emails: ["carl@e.org"], uid: "1")
            try await home.importCards([bea])
            for _ in 1...2 {
                let report = try await home.importCards([carl])
                #expect(
                    report.warnings.map(\.reason) == [
                        "Carl Third has the same UID as another person in your address book; they "
                            + "are kept as two people"
                    ])
                #expect(
                    try await home.addressBook() == ["Bea Best bea@e.org", "Carl Third carl@e.org"])
            }
            // The next import changes nothing that was changed by hand.
            var edit = ContactEdit()
            edit.emails = ["new@e.org"]
            _ = try await home.planner().editPerson("Carl Third", edit)
            try await home.importCards([carl])
            #expect(
                try await home.addressBook() == ["Bea Best bea@e.org", "Carl Third new@e.org"])
            var changed = carl
            changed.phones = ["2"]
            #expect(try await home.importCards([changed]).counts == [0, 1, 0])
            #expect(
                try await home.addressBook() == ["Bea Best bea@e.org", "Carl Third new@e.org 2"])
            // Who has an address or the name in common is the same person.
            let married = SampleCard(name: "Bea Bolt", emails: ["bea@e.org", "b@e.org"], uid: "1")
            #expect(try await home.importCards([married]).counts == [0, 1, 0])
            #expect(
                try await home.addressBook() == [
                    "Bea Bolt b@e.org,bea@e.org", "Carl Third new@e.org 2",
                ])
        }
    }

    @Test func `A long UID identifies a person, whatever else has changed`() async throws {
        try await withHome { home in
            let uid = "5f1c0b1e-8a3f-4a55"
            try await home.importCards([
                SampleCard(name: "Bea Best", emails: ["bea@e.org"], uid: uid)
            ])
            try await home.importCards([SampleCard(name: "Bea Bolt", emails: ["b@e.org"], uid: uid)]
            )
            #expect(try await home.addressBook() == ["Bea Bolt b@e.org"])
        }
    }

    @Test func `Cards that share their addresses in a chain make no endless contact`()
        async throws
    {
        try await withHome { home in
            let cards = (0..<130).map {
                SampleCard(name: "Gro Wing", emails: ["gro@e.org", "a\($0)@e.org"])
            }
            let report = try await home.importCards(cards)
            #expect(report.warnings.count == 1)
            #expect(
                report.warnings.first?.reason.hasPrefix("Gro Wing has more than 100 addresses")
                    == true)
            #expect(try await home.planner().people().first?.emails.count == 100)
        }
    }

    @Test func `A contact with too many phone numbers keeps the first, and the report says so`()
        async throws
    {
        try await withHome { home in
            let lists = [1000..<1060, 1060..<1120].map { $0.map(String.init) }
            let report = try await home.importCards(
                lists.map { SampleCard(name: "Gro Wing", emails: ["gro@e.org"], phones: $0) })
            #expect(
                report.warnings.map(\.reason) == [
                    "Gro Wing is in this file twice, also in line 1, with other values: both "
                        + "became one person",
                    "Gro Wing has more than 100 addresses or phone numbers; the others are not "
                        + "imported",
                ])
            #expect(try await home.planner().people().first?.phones.count == 100)
        }
    }

    @Test func `Two people with the same UID in one file stay two people`() async throws {
        try await withHome { home in
            let cards = [
                SampleCard(name: "Anna Aho", emails: ["anna@e.org"], uid: "u1"),
                SampleCard(name: "Ben Bo", emails: ["ben@e.org"], uid: "u1"),
            ]
            let report = try await home.importCards(cards)
            #expect(report.counts == [2, 0, 0])
            #expect(report.warnings.contains { $0.reason.contains("has the same UID as Anna Aho") })
            let book = ["Anna Aho anna@e.org", "Ben Bo ben@e.org"]
            #expect(try await home.addressBook() == book)
            #expect(try await home.importCards(cards).counts == [0, 0, 2])
            #expect(try await home.addressBook() == book)
        }
    }

    @Test func `Values that one card added to another are kept when both are imported again`()
        async throws
    {
        try await withHome { home in
            let cards = [
                SampleCard(name: "Ann Lee", emails: ["lee@e.org", "ann@e.org"]),
                SampleCard(name: "Ann Lee", emails: ["lee@e.org"], uid: "u0", phones: ["1"]),
                SampleCard(name: "Dee Moe", phones: ["2"]), SampleCard(name: "Dee Moe", uid: "u2"),
            ]
            let book = ["Ann Lee ann@e.org,lee@e.org 1", "Dee Moe  2"]
            try await home.importCards(cards)
            #expect(try await home.addressBook() == book)
            #expect(try await home.importCards(cards).counts == [0, 0, 4])
            #expect(try await home.addressBook() == book)
        }
    }

    static let sets: [(cards: [SampleCard], book: [String])] = [
        (
            [
                SampleCard(name: "Peter Family", emails: ["fam@e.org"]),
                SampleCard(name: "Mary Family", emails: ["fam@e.org"]),
            ], ["Mary Family fam@e.org", "Peter Family fam@e.org"]
        ),
        (
            [
                SampleCard(name: "fam@e.org", emails: ["fam@e.org"], phones: ["111"]),
                SampleCard(name: "Peter Family", emails: ["fam@e.org"]),
            ], ["Peter Family fam@e.org 111"]
        ),
        (
            [
                SampleCard(name: "Anna", emails: ["a@e.org"], uid: "one"),
                SampleCard(name: "Anna", emails: ["a@e.org", "b@e.org"], uid: "two"),
            ], ["Anna a@e.org,b@e.org"]
        ),
        (
            [
                SampleCard(name: "Anna", phones: ["111"]),
                SampleCard(name: "Anna", phones: ["222"]),
                SampleCard(name: "Anna", emails: ["a@e.org"]),
            ], ["Anna  111", "Anna  222", "Anna a@e.org"]
        ),
        (
            [
                SampleCard(name: "Mum", uid: "one"), SampleCard(name: "Mum", uid: "two"),
            ], ["Mum", "Mum"]
        ),
        (
            [
                SampleCard(name: "🙂", emails: ["s@e.org"]),
                SampleCard(name: "🙁", emails: ["s@e.org"]),
            ], ["🙁 s@e.org", "🙂 s@e.org"]
        ),
    ]

    @Test(arguments: sets.indices, [true, false])
    func `The same cards give the same people in one import or several, in any order`(
        place: Int, isReversed: Bool
    ) async throws {
        let (given, book) = Self.sets[place]
        let cards: [SampleCard] = isReversed ? given.reversed() : given
        for isOneRun in [true, false] {
            try await withHome { home in
                for run in isOneRun ? [cards] : cards.map({ [$0] }) {
                    try await home.importCards(run)
                }
                #expect(try await home.addressBook() == book)
                let again = try await home.importCards(cards)
                #expect(again.unchanged == cards.count)
                #expect(try await home.addressBook() == book)
            }
        }
    }

    @Test(arguments: [true, false])
    func `Of two spellings of one name, the later one is used`(isReversed: Bool) async throws {
        let spellings = [
            SampleCard(name: "Anna Mäkinen", emails: ["a@e.org"]),
            SampleCard(name: "Makinen, Anna", emails: ["A@E.org"], phones: ["111"]),
        ]
        let cards: [SampleCard] = isReversed ? spellings.reversed() : spellings
        let names = cards.map { "\($0.name) a@e.org 111" }
        try await withHome { home in
            try await home.importCards(cards)
            #expect(try await home.addressBook() == [names[1]])
            #expect(try await home.importCards(cards).counts == [0, 0, 2])
        }
        try await withHome { home in
            for card in cards { try await home.importCards([card]) }
            #expect(try await home.addressBook() == [names[1]])
            #expect(try await home.importCards(cards).counts == [0, 0, 2])
            #expect(try await home.addressBook() == [names[1]])
        }
    }

    @Test(arguments: [true, false])
    func `Two files that spell a name in two ways do not rename the person in turn`(
        haveNotes: Bool
    ) async throws {
        let cards = ["Anna Mäkinen", "Makinen, Anna"].map { name in
            SampleCard(name: name, emails: ["a@e.org"], note: haveNotes ? "from \(name)" : nil)
        }
        try await withHome { home in
            for card in cards { try await home.importCards([card]) }
            for card in cards + cards {
                let report = try await home.importCards([card])
                let names = try await home.planner().people().map(\.name)
                #expect(report.unchanged == 1 || haveNotes)
                #expect(names == ["Makinen, Anna"])
            }
            // A spelling that no file had before is used.
            var corrected = cards[0]
            corrected.name = "Anna MÄKINEN"
            try await home.importCards([corrected])
            let names = try await home.planner().people().map(\.name)
            #expect(names == ["Anna MÄKINEN"])
        }
    }

    @Test func `A second import of conflicting cards counts all of them as unchanged`()
        async throws
    {
        try await withHome { home in
            let cards = [
                SampleCard(name: "Anna", emails: ["a@e.org"], note: "first"),
                SampleCard(name: "Anna", emails: ["a@e.org"], note: "second"),
                SampleCard(name: "Ben", emails: ["b@e.org"], uid: "ben", note: "first"),
                SampleCard(name: "Benjamin", emails: ["b@e.org"], uid: "ben", note: "second"),
            ]
            let first = try await home.importCards(cards)
            #expect(first.counts == [2, 2, 0])
            #expect(try await home.importCards(cards).counts == [0, 0, 4])
            #expect(
                try await home.addressBook() == [
                    "Anna a@e.org  second", "Benjamin b@e.org  second",
                ])
        }
    }

    @Test func `A guest with a name becomes a contact only if the card has the same name`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            let id = try await planner.meet(
                "Games", with: "Peter Family <fam@e.org>", "nameless@e.org")
            try await home.importCards([
                SampleCard(name: "Mary Family", emails: ["fam@e.org"]),
                SampleCard(name: "fam@e.org", emails: ["fam@e.org"]),
                SampleCard(name: "Nora Name", emails: ["nameless@e.org"]),
            ])
            let names = try await planner.meeting(id).participants.map(\.name)
            #expect(names == ["Olga Owner", "Peter Family", "Nora Name"])
        }
    }

    @Test func `A card with only an address as its name does not replace a contact's name`()
        async throws
    {
        try await withHome { home in
            let named = SampleCard(name: "Anna", emails: ["a@e.org"], uid: "one")
            var nameless = named
            nameless.name = "a@e.org"
            try await home.importCards([named])
            #expect(try await home.importCards([nameless]).unchanged == 1)
            #expect(try await home.addressBook() == ["Anna a@e.org"])
        }
    }

    @Test func `A contact is recognized by name among 60 contacts with one address`() async throws {
        try await withHome { home in
            let cards = (0..<60).map { SampleCard(name: "Person \($0)", emails: ["info@e.org"]) }
            let first = try await home.importCards(cards)
            #expect(first.counts == [60, 0, 0])
            let again = try await home.importCards(cards)
            #expect(again.counts == [0, 0, 60])
        }
    }

    private static var corpus: String {
        Checkout.root + "/../shared/corpus/vcf"
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: corpus)))
    func `A second import of every file of the corpus changes nothing`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let first = try await planner.importPeople([Self.corpus], selection: ImportSelection())
            #expect(first.imported > 10)
            let again = try await planner.importPeople([Self.corpus], selection: ImportSelection())
            #expect(again.counts == [0, 0, first.counts.reduce(0, +)])
        }
    }
    @Test(arguments: [nil, "carl"])
    func `A contact is merged with a guest when its card gains the guest's address`(
        uid: String?
    ) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            var card = SampleCard(name: "Carl Holm", emails: ["holm@e.org"], uid: uid)
            try await home.importCards([card])
            let id = try await planner.meet("Tea", with: "carl@e.org")
            card.emails.append("carl@e.org")
            #expect(try await home.importCards([card]).counts == [0, 1, 0])
            let carl = try await planner.contact("Carl").id
            #expect(try await planner.meeting(id).participants.map(\.id).last == carl)
            #expect(try await planner.meeting(id).participants.map(\.name).last == "Carl Holm")
            #expect(try await planner.contact("carl@e.org").id == carl)
            #expect(try await home.importCards([card]).counts == [0, 0, 1])
            #expect(try await home.addressBook() == ["Carl Holm carl@e.org,holm@e.org"])
            #expect(try await planner.brokenRules() == [])
        }
    }
}
