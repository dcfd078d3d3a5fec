extension Migrations {
    /// The time at which the link of a guest was first shown to somebody else, who could pass it on
    /// or use it.
    static let shownLinks041 = """
        ALTER TABLE access_link ADD COLUMN shown_at INTEGER;
        """
}
