public import Agenda
import GRDB
public import Ledger

/// The index for finding contacts by text inside their names, with FTS5 trigrams.
enum ContactText {
    static func insert(_ name: String, number: Int64, in db: Database) throws {
        try db.cachedStatement(
            sql: "/* SQLite */ INSERT INTO contact_text (rowid, name) VALUES (:number, :name)"
        ).execute(arguments: ["number": number, "name": SearchKey.fold(name)])
    }

    static func remove(_ number: Int64, in db: Database) throws {
        try db.cachedStatement(
            sql: "/* SQLite */ DELETE FROM contact_text WHERE rowid = :number"
        ).execute(arguments: ["number": number])
    }

    /// Rebuilds the index, because deleting an entry only marks it as deleted.
    static func overwriteDeleted(in db: Database) throws {
        try db.execute(
            sql: "/* SQLite */ INSERT INTO contact_text (contact_text) VALUES ('rebuild')")
    }

    /// The longest text that is looked for inside names, in octets: a longer one costs time and
    /// memory, and is in no name.
    private static let keyOctetsMax = 400

    /// The contacts whose name contains these letters. The index needs at least three.
    static func contacts(
        containing key: String, of owner: PersonID, limit: Int, in db: Database
    ) throws -> [Contact] {
        guard key.utf8.count <= keyOctetsMax, key.count >= 3 else { return [] }
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    /* SQLite */ SELECT c.person_id, c.card FROM contact_text t
                    CROSS JOIN contact c ON c.number = t.rowid
                    WHERE contact_text MATCH :query AND c.owner_id = :owner LIMIT :limit
                    """),
            arguments: ["query": "\"\(key)\"", "owner": owner.text, "limit": limit]
        ).map(Contact.init(row:))
    }
}

extension PeopleLookup {
    /// The contacts with the names most similar to a text that matches nobody. Names that differ by
    /// one letter come first, because short names then share no trigrams with the text.
    public func contacts(
        nearest text: String, of owner: PersonID, limit: Int
    ) throws -> [Contact] {
        let key = String(SearchKey.fold(text).prefix(40))
        let near =
            try Contact.fetchAll(oneLetterFrom: key, limit: limit, of: owner, in: db)
            + ContactText.contacts(like: key, of: owner, limit: limit, in: db)
        let contacts = near.reduce(into: [Contact]()) { contacts, contact in
            if !contacts.contains(where: { $0.person == contact.person }) {
                contacts.append(contact)
            }
        }
        return Array(contacts.prefix(limit))
    }
}

extension ContactText {
    /// The contacts whose names share the most groups of three letters with a text.
    fileprivate static func contacts(
        like key: String, of owner: PersonID, limit: Int, in db: Database
    ) throws -> [Contact] {
        let letters = Array(key)
        guard letters.count >= 3 else { return [] }
        let trigrams = (0...letters.count - 3).map { "\"\(String(letters[$0..<$0 + 3]))\"" }
        return try Row.fetchAll(
            db,
            sql: """
                /* SQLite */ SELECT c.person_id, c.card FROM (
                    SELECT rowid, rank FROM contact_text WHERE contact_text MATCH :query
                    ORDER BY rank LIMIT 100) t
                CROSS JOIN contact c ON c.number = t.rowid
                WHERE c.owner_id = :owner ORDER BY t.rank LIMIT :limit
                """,
            arguments: [
                "query": trigrams.joined(separator: " OR "), "owner": owner.text,
                "limit": limit,
            ]
        ).map(Contact.init(row:))
    }
}
