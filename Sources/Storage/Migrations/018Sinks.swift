extension Migrations {
    /// The sinks with which coming meetings are planned, unknown for an older installation; and the
    /// time from which one of them reports everything that happens, if that is later than the
    /// installation itself.
    static let sinks018 = """
        ALTER TABLE installation ADD COLUMN sinks TEXT;
        ALTER TABLE installation ADD COLUMN told_since INTEGER;
        """
}
