import Agenda
import GRDB
import Interchange
import Ledger

/// The names, nicknames, addresses and phone numbers by which a person is known.
struct KnownAs: Equatable {
    /// The kind of a text by which a person is known.
    enum Kind: String, CaseIterable {
        case name
        case nickname
        case address
        case phone
    }

    private(set) var texts: [Kind: Set<String>] = [:]

    /// The texts that are current now: those of the person and of their cards in all address books.
    static func today(of person: PersonID, in db: Database) throws -> KnownAs {
        var known = KnownAs()
        let arguments: StatementArguments = ["id": person.text]
        known.add(
            try String.fetchAll(
                db.cachedStatement(sql: "SELECT name FROM person WHERE id = :id"),
                arguments: arguments), as: .name)
        known.add(
            try String.fetchAll(
                db.cachedStatement(
                    sql: "SELECT address FROM person_address WHERE person_id = :id"),
                arguments: arguments), as: .address)
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT person_id, card FROM contact WHERE person_id = :id"),
            arguments: arguments)
        for row in rows { known.add(try Contact(row: row).card) }
        return known
    }

    /// The current texts and all earlier ones.
    static func ever(of person: PersonID, in db: Database) throws -> KnownAs {
        var known = try today(of: person, in: db)
        let rows = try Row.fetchAll(
            db, sql: "SELECT kind, text FROM known_as WHERE person_id = :id",
            arguments: ["id": person.text])
        for row in rows {
            known.add([row["text"]], as: try StoredValue.decode(row["kind"]))
        }
        known.add(
            try String.fetchAll(
                db, sql: "SELECT DISTINCT address FROM delivery WHERE person_id = :id",
                arguments: ["id": person.text]), as: .address)
        return known
    }

    /// Stores the current texts. This must be called before a card is changed or removed.
    static func remember(_ person: PersonID, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO known_as (person_id, kind, text) VALUES (:id, :kind, :text)
                ON CONFLICT DO NOTHING
                """)
        for (kind, texts) in try today(of: person, in: db).texts {
            for text in texts {
                try statement.execute(arguments: [
                    "id": person.text, "kind": kind.rawValue, "text": text,
                ])
            }
        }
    }

    mutating func add(_ card: ContactCard) {
        add([card.formattedName] + card.also, as: .name)
        // A given name alone may also belong to other people.
        if !card.given.isEmpty, !card.family.isEmpty {
            add(["\(card.given) \(card.family)"], as: .name)
        }
        add(card.nicknames, as: .nickname)
        add(card.emails.map(\.address), as: .address)
        add(card.phones.map(\.number), as: .phone)
    }

    mutating func add(_ new: [String], as kind: Kind) {
        for text in new.map({ $0.split(separator: " ").joined(separator: " ") })
        where !text.isEmpty {
            // A guest's name is often just their address.
            let isAddress = MailAddress.plausible(text) != nil
            texts[kind == .name && isAddress ? .address : kind, default: []].insert(text)
        }
    }

    mutating func formUnion(_ other: KnownAs) {
        texts.merge(other.texts) { $0.union($1) }
    }
}
