extension Migrations {
    /// The end of the whole meeting at each entry of its history; for a series, the end of its last
    /// date. A notification of a change is useful until the later of the old end and the new one.
    static let lastEnds026 = """
        ALTER TABLE meeting_history ADD COLUMN all_end_at INTEGER;
        """
}
