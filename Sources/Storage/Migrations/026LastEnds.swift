extension Migrations {
    /// When all of a meeting was over by each entry of its history, of a series its last date: what
    /// tells of a change is of use until the later of the old end and the new one.
    static let lastEnds026 = """
        ALTER TABLE meeting_history ADD COLUMN all_end_at INTEGER;
        """
}
