import GRDB

extension Migrations {
    /// Private links: the store keeps only their hashes. The `number` of a link rises when the
    /// links before it are revoked.
    static let links011 = """
        CREATE TABLE access_link (
            token_hash TEXT PRIMARY KEY NOT NULL CHECK (length(token_hash) = 64),
            person_id TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            meeting_id TEXT REFERENCES meeting ON DELETE CASCADE,
            purpose TEXT NOT NULL CHECK (purpose = 'guest' OR purpose = 'reminders'
                OR purpose = 'digests'),
            number INTEGER NOT NULL CHECK (number >= 1),
            made_at INTEGER NOT NULL,
            revoked_at INTEGER,
            CHECK ((meeting_id IS NULL) = (purpose <> 'guest'))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX access_link_by_person ON access_link (person_id, meeting_id);
        CREATE INDEX access_link_by_meeting ON access_link (meeting_id)
            WHERE meeting_id IS NOT NULL;
        """

    /// Allows deliveries that send a guest their link again.
    static func allowLinks011(in db: Database) throws {
        try SchemaText.change("delivery", in: db) { sql in
            sql.replacing("OR kind = 'digest' OR", with: "OR kind = 'link' OR kind = 'digest' OR")
        }
    }
}
