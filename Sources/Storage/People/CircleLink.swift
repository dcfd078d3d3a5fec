import Agenda
import GRDB
import Ledger

/// The circle of a group card, with the card as it was at its last import.
struct CircleLink {
    /// The circle; `nil` if it was deleted.
    let circle: (id: CircleID, name: String)?
    /// The digest of the group's name.
    let nameDigest: String
    /// The digest of the group's name and members.
    let cardDigest: String
    /// True if the import of the card created the circle.
    let isMaker: Bool

    /// The link that an owner has by a key; `nil` if there is none.
    static func fetch(
        _ key: String, of owner: PersonID, in db: Database
    ) throws -> CircleLink? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT s.name_digest, s.card_digest, s.is_maker, c.id, c.name
                    FROM circle_source s
                    LEFT JOIN circle c ON c.id = s.circle_id AND c.owner_id = s.owner_id
                    WHERE s.owner_id = :owner AND s.uid = :uid
                    """), arguments: ["owner": owner.text, "uid": key]
        ).map(CircleLink.init(row:))
    }

    private init(row: Row) {
        let name: String? = row["name"]
        let id: String? = row["id"]
        circle = id.flatMap { id in name.map { (id: CircleID(text: id), name: $0) } }
        nameDigest = row["name_digest"]
        cardDigest = row["card_digest"]
        isMaker = row["is_maker"]
    }

    /// True if the card may rename its circle: its import created the circle, and no other card has
    /// the same circle.
    func mayRename(in db: Database) throws -> Bool {
        guard isMaker, let id = circle?.id else { return false }
        let count = try Int.fetchOne(
            db.cachedStatement(
                sql: "SELECT count(*) FROM circle_source WHERE circle_id = :circle"),
            arguments: ["circle": id.text])
        return count == 1
    }
}
