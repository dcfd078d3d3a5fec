import GRDB

extension Migrations {
    /// The revision of a meeting that a person knew when they joined it without an invitation.
    static let joinedPeople072 = """
        ALTER TABLE answer ADD COLUMN joined_revision INTEGER;
        """

    /// Allows deliveries about seats: to organizers, of people who leave or ask to join; to people,
    /// that they were promoted or admitted; to both, that enough people have joined.
    static func allowSeatNotices072(in db: Database) throws {
        try SchemaText.change("delivery", in: db) { sql in
            sql.replacing(
                "OR kind = 'join' OR",
                with: "OR kind = 'join' OR kind = 'leave' OR kind = 'request' OR "
                    + "kind = 'promotion' OR kind = 'admission' OR kind = 'decision' OR")
        }
    }
}
