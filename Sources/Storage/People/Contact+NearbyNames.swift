import Agenda
import GRDB
import Ledger

extension Contact {
    /// The contacts with a name, or a word of a name, that differs from a short text by one letter.
    ///
    /// This scans all keys of similar length, so it is used only when no name matches.
    static func fetchAll(
        oneLetterFrom key: String, limit: Int, of owner: PersonID, in db: Database
    ) throws -> [Contact] {
        let letters = Array(key.unicodeScalars)
        guard lettersNear.contains(letters.count) else { return [] }
        let keys = try String.fetchCursor(
            db,
            sql: """
                SELECT DISTINCT key FROM contact_key
                WHERE owner_id = :owner
                    AND CAST(length(key) AS BIGINT) BETWEEN :least AND :most
                """,
            arguments: [
                "owner": owner.text, "least": letters.count - 1, "most": letters.count + 1,
            ])
        var contacts: [Contact] = []
        while contacts.count < limit, let near = try keys.next() {
            guard NameDistance.isOneLetter(letters, Array(near.unicodeScalars)) else { continue }
            contacts += try Row.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT c.person_id, c.card FROM contact_key k
                    JOIN contact c ON c.number = k.contact_number
                    WHERE k.owner_id = :owner AND k.key = :key LIMIT :limit
                    """, arguments: ["owner": owner.text, "key": near, "limit": limit]
            ).map(Contact.init(row:))
        }
        return Array(contacts.prefix(limit))
    }

    /// The text lengths for which this scan is used. Longer texts are compared by groups of
    /// letters.
    private static let lettersNear = 2...8
}

/// The edit distance between names.
enum NameDistance {
    /// True if one name becomes the other by replacing, removing or adding one letter, or by
    /// swapping two neighbouring letters.
    static func isOneLetter(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Bool {
        let start = zip(one, other).prefix { $0 == $1 }.count
        let end = min(
            zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.count,
            min(one.count, other.count) - start)
        let left = [one.count, other.count].map { $0 - start - end }
        switch (left[0], left[1]) {
        case (0, 1), (1, 0), (1, 1): return true
        case (2, 2): return one[start] == other[start + 1] && one[start + 1] == other[start]
        default: return false
        }
    }
}
