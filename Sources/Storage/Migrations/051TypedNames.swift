extension Migrations {
    /// The name or the address that an organizer typed for a person whom they do not know; empty
    /// for the person's own name. It is emptied when the person answers themselves.
    static let typedNames051 = """
        ALTER TABLE participant ADD COLUMN typed_name TEXT NOT NULL DEFAULT '';
        """
}
