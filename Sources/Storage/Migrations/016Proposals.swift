import GRDB

extension Migrations {
    /// Another time that a guest proposed with their answer, until the organizer decides on it.
    static let proposals016 = """
        ALTER TABLE answer ADD COLUMN proposal TEXT;
        ALTER TABLE answer ADD COLUMN proposed_starts_at INTEGER
            CHECK ((proposed_starts_at IS NULL) = (proposal IS NULL));
        ALTER TABLE answer ADD COLUMN proposed_ends_at INTEGER
            CHECK ((proposed_ends_at IS NULL) = (proposal IS NULL)
                AND (proposed_ends_at IS NULL OR proposed_ends_at >= proposed_starts_at));
        """

    /// Allows deliveries that report a proposal, or its refusal.
    static func allowProposals016(in db: Database) throws {
        try SchemaText.change("delivery", in: db) { sql in
            sql.replacing(
                "OR kind = 'link' OR",
                with: "OR kind = 'link' OR kind = 'proposal' OR kind = 'refusal' OR")
        }
    }
}
