import Agenda
import Foundation
import GRDB
import Interchange

/// Replaces a person's names and addresses in texts that others wrote.
struct TextErasure {
    /// A column of texts.
    struct Column {
        let table: String
        let name: String
        /// Whether the sentences are the ledger's own, in which a name is a name.
        var isLedger = false
        /// Whether no two texts of it may be the same.
        var isUnique = false
    }

    static let columns = [
        Column(table: "delivery", name: "reason", isLedger: true),
        Column(table: "delivery_turn", name: "reason", isLedger: true),
        Column(table: "attempt", name: "code", isLedger: true),
        Column(table: "attempt", name: "reply", isLedger: true),
        Column(table: "delivery", name: "address", isLedger: true),
        Column(table: "answer", name: "note"),
        Column(table: "body", name: "text"),
        Column(table: "meeting", name: "title"),
        Column(table: "meeting", name: "note"),
        Column(table: "meeting", name: "link"),
        Column(table: "meeting", name: "place_text"),
        Column(table: "meeting", name: "request_key", isUnique: true),
        Column(table: "meeting_override", name: "place_text"),
        Column(table: "meeting_history", name: "title"),
        Column(table: "meeting_history", name: "place_text"),
        Column(table: "saved_place", name: "address"),
        Column(table: "dataset", name: "name", isUnique: true),
    ]
    /// Tables of what their owners call by a `name`, and find by its `folded` form.
    static let namedTables = ["circle", "saved_place"]

    private let names: [String]
    private let addresses: [String]
    private let pseudonym: String

    /// Collects by what these ids are known, without what others are known by as well.
    init(of ids: [String], pseudonym: String, in db: Database) throws {
        self.pseudonym = pseudonym
        var names: Set<String> = []
        var addresses: Set<String> = []
        for id in ids {
            names.formUnion(try Self.texts("SELECT name FROM person WHERE id = :id", id, in: db))
            for sql in [
                "SELECT address FROM person_address WHERE person_id = :id",
                "SELECT DISTINCT address FROM delivery WHERE person_id = :id",
            ] {
                addresses.formUnion(try Self.texts(sql, id, in: db))
            }
            let rows = try Row.fetchAll(
                db, sql: "SELECT person_id, card FROM contact WHERE person_id = :id",
                arguments: ["id": id])
            for card in try rows.map({ try Contact(row: $0).card }) {
                names.formUnion([card.formattedName, "\(card.given) \(card.family)"])
                addresses.formUnion(card.emails.map(\.address))
            }
        }
        self.names = try names.map { $0.trimmingCharacters(in: .whitespaces) }.filter { name in
            try !name.isEmpty && name != pseudonym
                && !Self.isOthers("name", "person", of: name, "id", but: ids, in: db)
        }.sorted { $0.count > $1.count }
        self.addresses = try addresses.filter { address in
            try !address.isEmpty && address != pseudonym
                && !Self.isOthers(
                    "folded", "person_address", of: PersonAddresses.folded(address), "person_id",
                    but: ids, in: db)
        }.sorted { $0.count > $1.count }
    }

    private static func texts(_ sql: String, _ id: String, in db: Database) throws -> [String] {
        try String.fetchAll(db, sql: sql, arguments: ["id": id])
    }

    private static func isOthers(
        _ column: String, _ table: String, of value: String, _ key: String, but ids: [String],
        in db: Database
    ) throws -> Bool {
        let owners = try String.fetchAll(
            db, sql: "SELECT \(key) FROM \(table) WHERE \(column) = :value",
            arguments: ["value": value])
        return owners.contains { !ids.contains($0) }
    }

    /// Rewrites the texts of a column in which the person is named.
    func replace(in column: Column, in db: Database) throws {
        for words in words(inLedger: column.isLedger) {
            let pattern = try Self.pattern(for: words)
            let texts = try String.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT \(column.name) FROM \(column.table)
                    WHERE replace(lower(\(column.name)), lower(:words), '')
                        <> lower(\(column.name))
                    """, arguments: ["words": words])
            for text in texts {
                var changed = replacing(pattern, in: text)
                guard changed != text else { continue }
                if column.isUnique {
                    changed = try Self.numbered(changed) { text in
                        try Bool.fetchOne(
                            db,
                            sql: """
                                SELECT EXISTS (
                                    SELECT 1 FROM \(column.table) WHERE \(column.name) = :text)
                                """, arguments: ["text": text]) ?? false
                    }
                }
                try db.execute(
                    sql: """
                        UPDATE \(column.table) SET \(column.name) = :new
                        WHERE \(column.name) = :old
                        """, arguments: ["old": text, "new": changed])
            }
        }
    }

    /// Rewrites the names of a table in which the person is named, however they are spelled.
    func rename(_ table: String, in db: Database) throws {
        let patterns = try words(inLedger: false).map(Self.pattern)
        func replaced(_ text: String) -> String {
            patterns.reduce(text) { replacing($1, in: $0) }
        }
        for row in try Row.fetchAll(db, sql: "SELECT id, owner_id, name FROM \(table)") {
            let name: String = row["name"]
            var changed = replaced(name)
            let folded = SearchKey.fold(changed)
            if replaced(folded) != folded { changed = replaced(folded) }
            guard changed != name else { continue }
            changed = try Self.numbered(changed) { text in
                try Bool.fetchOne(
                    db,
                    sql: """
                        SELECT EXISTS (
                            SELECT 1 FROM \(table)
                            WHERE owner_id = :owner AND folded = :folded AND id <> :id)
                        """,
                    arguments: [
                        "owner": row["owner_id"] as String, "folded": SearchKey.fold(text),
                        "id": row["id"] as String,
                    ]) ?? false
            }
            try db.execute(
                sql: "UPDATE \(table) SET name = :name, folded = :folded WHERE id = :id",
                arguments: [
                    "name": changed, "folded": SearchKey.fold(changed), "id": row["id"] as String,
                ])
        }
    }

    /// A text that is not taken: the one given, or with a number behind it.
    private static func numbered(
        _ text: String, unless isTaken: (String) throws -> Bool
    ) rethrows -> String {
        var (found, number) = (text, 1)
        while try isTaken(found) {
            number += 1
            found = "\(text) \(number)"
        }
        return found
    }

    /// By what the person is known; by a name of one word in the ledger alone.
    private func words(inLedger: Bool) -> [String] {
        let spoken = names.filter { inLedger || $0.contains(" ") }
        return addresses + spoken + spoken.map(SearchKey.fold)
    }

    private func replacing(_ pattern: NSRegularExpression, in text: String) -> String {
        pattern.stringByReplacingMatches(
            in: text, range: NSRange(text.startIndex..., in: text), withTemplate: pseudonym)
    }

    /// Whole words only: "ann@example.org" does not stand in "joann@example.org", nor in
    /// "ann@example.org.uk", nor "Ann Berg" in "Ann Berg-Holm"; but a name may end before a dot.
    private static func pattern(for words: String) throws -> NSRegularExpression {
        let joints = words.contains("@") ? "[.-]" : "-"
        return try NSRegularExpression(
            pattern: "(?<![\\p{L}\\p{N}._%+-])"
                + NSRegularExpression.escapedPattern(for: words)
                + "(?![\\p{L}\\p{N}]|\(joints)[\\p{L}\\p{N}])",
            options: .caseInsensitive)
    }
}
