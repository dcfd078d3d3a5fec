import GRDB
import Interchange

extension Migrations {
    /// Stores addresses in the form that is the same for all spellings of a mailbox. Only those
    /// that are not ASCII, or that end with a dot, had another form before.
    static func refoldMailboxes034(in db: Database) throws {
        let rows = try Row.fetchAll(
            db, sql: "/* SQLite */ SELECT rowid AS number, folded FROM person_address")
        for row in rows {
            let folded: String = row["folded"]
            guard let new = newForm(of: folded) else { continue }
            try db.execute(
                sql: "/* SQLite */ UPDATE OR REPLACE person_address SET folded = ? WHERE rowid = ?",
                arguments: [new, row["number"] as Int64])
        }
        for folded in try String.fetchAll(db, sql: "/* SQLite */ SELECT folded FROM suppression") {
            guard let new = newForm(of: folded) else { continue }
            try db.execute(
                sql: "/* SQLite */ UPDATE OR REPLACE suppression SET folded = ? WHERE folded = ?",
                arguments: [new, folded])
        }
        for key in try String.fetchAll(
            db, sql: "/* SQLite */ SELECT DISTINCT key FROM contact_key WHERE key LIKE '%@%'")
        {
            guard let new = newForm(of: key) else { continue }
            try db.execute(
                sql: "/* SQLite */ UPDATE OR REPLACE contact_key SET key = ? WHERE key = ?",
                arguments: [new, key])
        }
    }

    private static func newForm(of folded: String) -> String? {
        let new = MailAddress.folded(folded)
        return new == folded || new.isEmpty ? nil : new
    }
}
