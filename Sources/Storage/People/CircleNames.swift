public import Agenda
import GRDB
import Interchange
public import Ledger

/// The circles of an address book and their members, for an export.
public struct CircleNames: Sendable {
    /// The names of all circles, folded for comparison.
    fileprivate let all: Set<String>
    /// The names of the circles of each member.
    fileprivate let names: [PersonID: [String]]

    /// The categories of an exported card: those of the card that are no circles, and the circles
    /// in which the person is today.
    ///
    /// - Parameters:
    ///   - categories: the categories of the card.
    ///   - person: the person.
    /// - Returns: the categories.
    public func updated(_ categories: [String], of person: PersonID) -> [String] {
        var own = names[person] ?? []
        let known = categories.compactMap { category -> String? in
            let key = SearchKey.fold(category)
            guard all.contains(key) else { return category }
            return own.firstIndex { SearchKey.fold($0) == key }.map { own.remove(at: $0) }
        }
        return known + own
    }
}

extension Store {
    /// The circles of an owner with their members.
    public func circleNames(of owner: PersonID) async throws -> CircleNames {
        try await read { db in
            let all = try String.fetchAll(
                db.cachedStatement(sql: "SELECT folded FROM circle WHERE owner_id = :owner"),
                arguments: ["owner": owner.text])
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT m.person_id, c.name FROM circle c
                        JOIN circle_member m ON m.circle_id = c.id
                        WHERE c.owner_id = :owner ORDER BY c.folded, m.person_id
                        """), arguments: ["owner": owner.text])
            return CircleNames(
                all: Set(all),
                names: Dictionary(grouping: rows) { PersonID(text: $0["person_id"]) }
                    .mapValues { $0.map { $0["name"] as String } })
        }
    }
}

extension CircleID {
    /// The name of the circle, folded for comparison; `nil` if there is no such circle.
    func key(in db: Database) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT folded FROM circle WHERE id = :circle"),
            arguments: ["circle": text])
    }

    /// Removes a name that the circle loses from the categories on the cards of its people, because
    /// an export would still name it.
    func leaveCategories(named key: String?, in db: Database) throws {
        // A circle may have everybody, so the cards are read one at a time.
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT c.number, c.card FROM circle k
                    JOIN contact c ON c.owner_id = k.owner_id
                    JOIN (
                        SELECT person_id FROM circle_member WHERE circle_id = :circle
                        UNION SELECT person_id FROM circle_leaver WHERE circle_id = :circle
                    ) p ON p.person_id = c.person_id
                    WHERE k.id = :circle AND c.card LIKE '%CATEGORIES:%'
                    """), arguments: ["circle": text])
        while let row = try rows.next() {
            var card = try ContactCard(stored: row["card"])
            let kept = card.categories.filter { SearchKey.fold($0) != key }
            guard kept.count < card.categories.count else { continue }
            card.categories = kept
            try db.cachedStatement(sql: "UPDATE contact SET card = :card WHERE number = :number")
                .execute(arguments: [
                    "card": VCardWriter.write([card], version: .v4),
                    "number": row["number"] as Int64,
                ])
        }
    }
}
