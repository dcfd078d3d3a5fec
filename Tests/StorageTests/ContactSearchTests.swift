import Interchange
import Ledger
import TestKit
import Testing
import Timekeeping

@testable import Agenda
@testable import Storage

/// The match quality is computed in SQL, which uses an index, and in ``MatchQuality``, which also
/// covers people without a card. Both must agree.
@Suite struct ContactSearchTests {
    private static let owner = Person(id: PersonID(text: "oooooooooooooooo"), name: "Olga")
    private static let words = [
        "Anna", "Ann", "Anna-Liisa", "Berg", "Bergström", "Åke", "ake", "O'Neil", "Łukasz", "김민준",
        "김", "नमिता", "Λάμπρος", "van", "der", "Al", "Ab", "B", "李", "Groß", "gross", "Zoë",
    ]

    private static func name(using random: inout SeededRandom) -> String {
        let count = Int.random(in: 1...3, using: &random)
        return (0..<count).compactMap { _ in words.randomElement(using: &random) }
            .joined(separator: random.chance(percent: 20) ? ", " : " ")
    }

    private static func card(_ number: Int, using random: inout SeededRandom) -> ContactCard {
        var card = ContactCard(formattedName: name(using: &random))
        if random.chance(percent: 40) {
            card.given = name(using: &random)
            card.family = words.randomElement(using: &random) ?? ""
        }
        if random.chance(percent: 30) { card.nicknames = [name(using: &random)] }
        if random.chance(percent: 60) {
            let host = random.chance(percent: 50) ? "example.org" : "anna.example"
            card.emails = [ContactCard.Email(address: "Ann\(number % 7)@\(host)")]
        }
        return card
    }

    /// A name, a part of a name, an address, or letters that may occur in no name.
    private static func text(from cards: [ContactCard], using random: inout SeededRandom) -> String
    {
        let card = cards.randomElement(using: &random) ?? ContactCard(formattedName: "")
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return card.formattedName.uppercased()
        case 1: return card.formattedName.split(separator: " ").reversed().joined(separator: " ")
        case 2: return card.emails.first?.address.lowercased() ?? card.given
        case 3: return name(using: &random)
        case 4: return String(SearchKey.fold(card.formattedName).unicodeScalars.prefix(2))
        default:
            let scalars = card.formattedName.unicodeScalars.dropFirst(
                Int.random(in: 0...3, using: &random))
            return String(
                String.UnicodeScalarView(
                    scalars.prefix(Int.random(in: 1...5, using: &random))))
        }
    }

    @Test(arguments: UInt64(1)...4)
    func `The search index finds the same contacts as the rule in code`(seed: UInt64) async throws {
        print("contact search: seed \(seed)")
        var random = SeededRandom(seed: seed)
        let cards = (0..<25).map { Self.card($0, using: &random) }
        let texts = (0..<100).map { _ in Self.text(from: cards, using: &random) }
        try await withTemporaryStore { store in
            try await store.save(cards, owner: Self.owner)
            for text in texts {
                let found = try await store.lookUp {
                    try $0.contacts(matching: text, of: Self.owner.id, limit: cards.count)
                }
                let qualities = cards.map { MatchQuality(of: text, on: $0) }
                let best = qualities.compactMap(\.self).min()
                let expected = cards.indices.filter { best != nil && qualities[$0] == best }
                #expect(
                    Set(found.map(\.person.text)) == Set(expected.map(Store.id)),
                    "seed \(seed), \(text), \(best.map { "\($0)" } ?? "none")")
            }
        }
    }
}

extension Store {
    fileprivate static func id(_ number: Int) -> String { "person\(1_000_000_000 + number)" }

    /// Saves each card as the contact of a new person.
    fileprivate func save(_ cards: [ContactCard], owner: Person) async throws {
        let now = Moment(seconds: 1)
        try await write { db in
            try owner.insert(in: db, now: now)
            for (number, card) in cards.enumerated() {
                let person = PersonID(text: Self.id(number))
                try Person(id: person, name: card.formattedName).insert(in: db, now: now)
                try Contact(person: person, card: card).save(owner: owner.id, in: db)
            }
        }
    }
}
