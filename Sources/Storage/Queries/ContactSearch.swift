public import Agenda
import GRDB
import Interchange
public import Ledger

/// How well a text fits a contact, the best first.
public enum MatchQuality: Int, CaseIterable, Comparable, Sendable {
    /// The whole name, or an address.
    case whole
    /// The whole name, its words in another order.
    case reordered
    /// A word of the name, the family name, a nickname or the initials.
    case part
    /// A word of the name begins so.
    case beginning
    /// It stands somewhere inside the name.
    case inside
}

extension Store {
    /// How many contacts that fit equally well are put in order, where fewer are wanted.
    private static let sortedRowsMax = 50

    /// The contacts that fit a text best, all of one quality, at most `limit`.
    ///
    /// - Parameters:
    ///   - text: what somebody typed.
    ///   - owner: whose address book.
    ///   - limit: the most contacts to return.
    /// - Returns: the contacts, or none.
    /// - Throws: ``StoreError``.
    public func contacts(
        matching text: String, of owner: PersonID, limit: Int
    ) async throws -> [Contact] {
        let key = SearchKey.fold(text)
        let address = PersonAddresses.folded(text)
        return try await read { db in
            for quality in MatchQuality.allCases {
                let found = try Contact.search(
                    quality, key: key, address: address, of: owner, limit: limit, in: db)
                if !found.isEmpty { return found }
            }
            return []
        }
    }

    /// The contacts that a text which is still being typed may mean, those that fit best first, and
    /// of one quality by name.
    public func contacts(
        suggestedBy text: String, of owner: PersonID, limit: Int
    ) async throws -> [Contact] {
        let key = SearchKey.fold(text)
        let address = PersonAddresses.folded(text)
        return try await read { db in
            var found: [Contact] = []
            for quality in MatchQuality.allCases where found.count < limit {
                let more = try Contact.search(
                    quality, key: key, address: address, of: owner,
                    limit: max(limit, Self.sortedRowsMax), in: db)
                found += more.filter { contact in !found.contains { $0.person == contact.person } }
                    .sorted { $0.card.formattedName < $1.card.formattedName }
            }
            return Array(found.prefix(limit))
        }
    }

    /// The contacts whose names look most like a text that fits none.
    public func contacts(
        nearest text: String, of owner: PersonID, limit: Int
    ) async throws -> [Contact] {
        let letters = Array(SearchKey.fold(text).prefix(40))
        guard letters.count >= 3 else { return [] }
        let trigrams = (0...letters.count - 3).map { "\"\(String(letters[$0..<$0 + 3]))\"" }
        return try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT c.person_id, c.card FROM (
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
}

extension Contact {
    fileprivate static func search(
        _ quality: MatchQuality, key: String, address: String, of owner: PersonID, limit: Int,
        in db: Database
    ) throws -> [Contact] {
        let keys: String
        switch quality {
        case .whole: keys = "k.key IN (:key, :address) AND k.rank = 0"
        case .reordered: keys = "k.key = :key AND k.rank = 0"
        case .part: keys = "k.key = :key AND k.rank = 1"
        case .beginning: keys = "k.key >= :key AND k.key < :key || char(1114111)"
        case .inside:
            return try inside(key, of: owner, limit: limit, in: db)
        }
        guard !key.isEmpty || quality == .whole else { return [] }
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT DISTINCT c.person_id, c.card FROM contact_key k
                    JOIN contact c ON c.number = k.contact_number
                    WHERE k.owner_id = :owner AND \(keys) LIMIT :limit
                    """),
            arguments: StatementArguments(
                [
                    "owner": owner.text, "limit": limit,
                    "key": quality == .reordered ? SearchKey.name(key) : key,
                ]
                .merging(quality == .whole ? ["address": address] : [:]) { $1 })
        ).map(Contact.init(row:))
    }

    /// The trigram index needs three letters at least.
    private static func inside(
        _ key: String, of owner: PersonID, limit: Int, in db: Database
    ) throws -> [Contact] {
        guard key.count >= 3 else { return [] }
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT c.person_id, c.card FROM contact_text t
                    CROSS JOIN contact c ON c.number = t.rowid
                    WHERE contact_text MATCH :query AND c.owner_id = :owner LIMIT :limit
                    """),
            arguments: ["query": "\"\(key)\"", "owner": owner.text, "limit": limit]
        ).map(Contact.init(row:))
    }
}
