extension Migrations {
    /// The folded address by which a member who organizes a meeting knew a guest when they invited
    /// them: the one that they typed, or that of their address book. Empty if it is not known, and
    /// in meetings of the owner, who sees all addresses.
    static let knownAddresses059 = """
        ALTER TABLE participant ADD COLUMN known_address TEXT NOT NULL DEFAULT '';
        UPDATE participant SET known_address = lower(typed_name)
        WHERE typed_name LIKE '%_@_%' AND typed_name NOT LIKE '% %';
        """
}
