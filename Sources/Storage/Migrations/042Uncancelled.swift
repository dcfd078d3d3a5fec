import GRDB

extension Migrations {
    /// Allows the entry in a meeting's history that its cancellation was taken back.
    ///
    /// Only a constraint changes, so the schema text is edited in place and no row is rewritten.
    static func allowUncancelled042(in db: Database) throws {
        try SchemaText.change("meeting_history", in: db) { sql in
            sql.replacing(
                "OR act = 'uninvited'", with: "OR act = 'uninvited' OR act = 'uncancelled'")
        }
    }
}
