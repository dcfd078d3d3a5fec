extension Migrations {
    /// Whether nobody vouches for the mail in which a time was proposed.
    static let unsignedProposals019 = """
        ALTER TABLE answer ADD COLUMN is_proposal_unsigned INTEGER NOT NULL DEFAULT 0
            CHECK (is_proposal_unsigned = 0 OR is_proposal_unsigned = 1);
        """
}
