import GRDB

extension Migrations {
    /// The people who want digests, and the digest that includes a delivery.
    static let digests010 = """
        ALTER TABLE delivery ADD COLUMN told_in INTEGER;
        CREATE INDEX delivery_told_in ON delivery (told_in) WHERE told_in IS NOT NULL;
        CREATE TABLE digest_policy (
            person_id TEXT PRIMARY KEY NOT NULL REFERENCES person ON DELETE CASCADE,
            period TEXT NOT NULL CHECK (period IN ('daily', 'weekly'))
        ) STRICT;
        """

    /// Allows deliveries without a meeting: a digest, or the report that a job failed.
    ///
    /// Only constraints change, so the schema text is edited in place and no row is rewritten.
    static func allowLetters010(in db: Database) throws {
        try SchemaText.change("delivery", in: db) { sql in
            sql.replacing(
                "meeting_id TEXT NOT NULL REFERENCES meeting",
                with: "meeting_id TEXT REFERENCES meeting"
            )
            .replacing("OR kind = 'digest'", with: "OR kind = 'digest' OR kind = 'alarm'")
            .replacing(
                "CHECK ((person_id IS NULL) <> (audience IS NULL))",
                with: """
                    CHECK ((person_id IS NULL) <> (audience IS NULL)),
                    CHECK ((meeting_id IS NULL) = (kind = 'digest' OR kind = 'alarm'))
                    """)
        }
    }
}
