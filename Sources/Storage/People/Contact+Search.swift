public import Agenda
import GRDB
import Interchange
public import Ledger

/// The quality of a match between a text and a contact, best first.
public enum MatchQuality: Int, CaseIterable, Comparable, Sendable {
    /// The whole name, or an address.
    case whole
    /// The whole name with its words in a different order.
    case reordered
    /// A word of the name, the family name, a nickname or the initials.
    case part
    /// The beginning of a word of the name.
    case beginning
    /// A text somewhere inside the name.
    case inside
}

extension PeopleLookup {
    /// The minimum number of equally good matches to sort by name, even if fewer are wanted.
    private static let sortedRowsMax = 50

    /// The contacts that match a text best, all with the same match quality, at most `limit`.
    ///
    /// - Parameters:
    ///   - text: the text that the user typed.
    ///   - owner: the owner of the address book.
    ///   - worst: the lowest acceptable match quality.
    ///   - limit: the maximum number of contacts to return.
    /// - Returns: the matching contacts; empty if there are none.
    /// - Throws: ``StoreError``.
    public func contacts(
        matching text: String, of owner: PersonID, atLeast worst: MatchQuality = .inside,
        limit: Int
    ) throws -> [Contact] {
        let key = SearchKey.fold(text)
        let address = PersonAddresses.folded(text)
        for quality in MatchQuality.allCases where quality <= worst {
            let found = try Contact.search(
                quality, key: key, address: address, of: owner, limit: limit, in: db)
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Suggestions for a text that is still being typed: best matches first, equal matches sorted
    /// by name.
    public func contacts(
        suggestedBy text: String, of owner: PersonID, limit: Int
    ) throws -> [Contact] {
        let key = SearchKey.fold(text)
        let address = PersonAddresses.folded(text)
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

extension Contact {
    /// The contacts for which ``MatchQuality/init(of:on:)`` gives this quality.
    fileprivate static func search(
        _ quality: MatchQuality, key: String, address: String, of owner: PersonID, limit: Int,
        in db: Database
    ) throws -> [Contact] {
        let keys: String
        switch quality {
        case .whole where key == address: keys = "k.key = :key AND k.rank = 0"
        case .whole: keys = "k.key IN (:key, :address) AND k.rank = 0"
        case .reordered: keys = "k.key = :key AND k.rank = 0"
        case .part: keys = "k.key = :key AND k.rank = 1"
        case .beginning: keys = "k.key >= :key AND k.key < :end"
        case .inside:
            return try ContactText.contacts(containing: key, of: owner, limit: limit, in: db)
        }
        guard !key.isEmpty || quality == .whole else { return [] }
        var arguments: StatementArguments = [
            "owner": owner.text, "limit": limit,
            "key": quality == .reordered ? SearchKey.name(key) : key,
        ]
        if quality == .whole, key != address { arguments += ["address": address] }
        if quality == .beginning { arguments += ["end": key + "\u{10FFFF}"] }
        // One key leads to a contact once. Then SQLite needs no temporary table.
        let isOneKey = keys.hasPrefix("k.key = ")
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT \(isOneKey ? "" : "DISTINCT") c.person_id, c.card FROM contact_key k
                    JOIN contact c ON c.number = k.contact_number
                    WHERE k.owner_id = :owner AND \(keys) LIMIT :limit
                    """),
            arguments: arguments
        ).map(Contact.init(row:))
    }
}
