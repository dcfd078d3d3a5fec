extension Migrations {
    /// A flag for proposals in mails whose sender could not be authenticated.
    static let unsignedProposals019 = """
        ALTER TABLE answer ADD COLUMN is_proposal_unsigned INTEGER NOT NULL DEFAULT 0
            CHECK (is_proposal_unsigned = 0 OR is_proposal_unsigned = 1);
        """
}
