extension Migrations {
    /// The sinks by which coming meetings are planned, not known of a home from before; and since
    /// when one of them tells of all that happens, where that is younger than the home.
    static let sinks018 = """
        ALTER TABLE installation ADD COLUMN sinks TEXT;
        ALTER TABLE installation ADD COLUMN told_since INTEGER;
        """
}
