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

extension PeopleLookup {
    /// How many contacts that fit equally well are put in order, where fewer are wanted.
    private static let sortedRowsMax = 50

    /// The contacts that fit a text best, all of one quality, at most `limit`.
    ///
    /// - Parameters:
    ///   - text: what somebody typed.
    ///   - owner: whose address book.
    ///   - worst: how well it has to fit.
    ///   - limit: the most contacts to return.
    /// - Returns: the contacts, or none.
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

    /// The contacts that a text which is still being typed may mean, those that fit best first, and
    /// of one quality by name.
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
    /// Whom ``MatchQuality/init(of:on:)`` finds so good.
    fileprivate static func search(
        _ quality: MatchQuality, key: String, address: String, of owner: PersonID, limit: Int,
        in db: Database
    ) throws -> [Contact] {
        let keys: String
        switch quality {
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
        if quality == .whole { arguments += ["address": address] }
        if quality == .beginning { arguments += ["end": key + "\u{10FFFF}"] }
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT DISTINCT c.person_id, c.card FROM contact_key k
                    JOIN contact c ON c.number = k.contact_number
                    WHERE k.owner_id = :owner AND \(keys) LIMIT :limit
                    """),
            arguments: arguments
        ).map(Contact.init(row:))
    }
}
