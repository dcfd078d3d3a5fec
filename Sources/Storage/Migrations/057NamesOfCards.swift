import GRDB
import Interchange

extension Migrations {
    /// The names on cards without a UID, so that the next version of such a card is recognized;
    /// empty where they are not known.
    static let namesOfCards057 = """
        ALTER TABLE card_source ADD COLUMN name TEXT NOT NULL DEFAULT '';
        CREATE INDEX card_source_by_name ON card_source (owner_id, name) WHERE name <> '';
        """

    /// Fills in the names of the cards without a UID that are known.
    static func nameCards057(in db: Database) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                /* SQLite */ SELECT owner_id, uid, card FROM card_source
                WHERE uid LIKE '#%' AND card <> ''
                """)
        for row in rows {
            let text: String = row["card"]
            guard let card = VCardReader.read(Array(text.utf8)).cards.first else { continue }
            try db.execute(
                sql: "/* SQLite */ UPDATE card_source SET name = ? WHERE owner_id = ? AND uid = ?",
                arguments: [
                    CardSource.name(of: card), row["owner_id"] as String, row["uid"] as String,
                ])
        }
    }
}
