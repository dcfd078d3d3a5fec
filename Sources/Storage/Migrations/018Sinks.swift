extension Migrations {
    /// The sinks by which coming meetings are planned; not known of a home from before.
    static let sinks018 = "ALTER TABLE installation ADD COLUMN sinks TEXT;"
}
