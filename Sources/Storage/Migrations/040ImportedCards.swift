extension Migrations {
    /// The cards as they were imported, so that the next version changes only what differs; empty
    /// for cards that were imported before, and for cards without a UID.
    static let importedCards040 = """
        ALTER TABLE card_source ADD COLUMN card TEXT NOT NULL DEFAULT '';
        """
}
