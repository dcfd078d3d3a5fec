import Agenda
import GRDB
import Interchange
import Ledger

/// By what a person is known.
struct KnownAs: Equatable {
    /// A kind of what somebody is known by.
    enum Kind: String, CaseIterable {
        case name
        case nickname
        case address
        case phone
    }

    private(set) var texts: [Kind: Set<String>] = [:]

    /// What is known by this moment: as a person, and on the cards of every address book.
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

    /// What is known today, and what was before.
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

    /// Keeps what is known today: the one place that is asked before a card changes or goes.
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
        // A given name alone may be that of others.
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
            // Who is a guest is often called by nothing but the address.
            let isAddress = MailAddress.plausible(text) != nil
            texts[kind == .name && isAddress ? .address : kind, default: []].insert(text)
        }
    }

    mutating func formUnion(_ other: KnownAs) {
        texts.merge(other.texts) { $0.union($1) }
    }
}
