public import Agenda
import GRDB
import Interchange
public import Ledger

/// Pages of an address book. Each takes as long as any other, however large the book is.
extension Store {
    /// A page of an address book, sorted by name: the contacts after `after`, at most `limit`.
    public func contacts(
        of owner: PersonID, after: Contact?, limit: Int
    ) async throws -> [Contact] {
        try await contacts(
            of: owner, afterKey: after?.sortKey ?? "", person: after?.person.text ?? "",
            limit: limit)
    }

    /// A page of an address book, sorted by name: the contacts whose names begin with a text, and
    /// those after them.
    public func contacts(
        of owner: PersonID, from text: String, limit: Int
    ) async throws -> [Contact] {
        try await contacts(of: owner, afterKey: SearchKey.fold(text), person: "", limit: limit)
    }

    private func contacts(
        of owner: PersonID, afterKey key: String, person: String, limit: Int
    ) async throws -> [Contact] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT person_id, card FROM contact
                        WHERE owner_id = :owner AND (sort_key, person_id) > (:key, :person)
                        ORDER BY sort_key, person_id LIMIT :limit
                        """),
                arguments: ["owner": owner.text, "key": key, "person": person, "limit": limit]
            ).map(Contact.init(row:))
        }
    }

    /// The most first characters of names to return.
    private static let initialsMax = 100

    /// The first characters of the names in an address book as it is sorted, each once. Every
    /// character takes one step in the index, however many contacts have it.
    public func initials(of owner: PersonID) async throws -> [String] {
        try await read { db in
            try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        WITH RECURSIVE initial (text) AS (
                            SELECT substr(min(c.sort_key), 1, 1) FROM contact c
                            WHERE c.owner_id = :owner AND c.sort_key > ''
                            UNION ALL
                            SELECT (
                                SELECT substr(min(c.sort_key), 1, 1) FROM contact c
                                WHERE c.owner_id = :owner AND c.sort_key > initial.text || :end)
                            FROM initial WHERE initial.text IS NOT NULL)
                        SELECT text FROM initial WHERE text IS NOT NULL LIMIT :limit
                        """),
                arguments: [
                    "owner": owner.text, "end": "\u{10FFFF}", "limit": Self.initialsMax,
                ])
        }
    }
}
