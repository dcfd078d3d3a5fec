extension Migrations {
    /// The digests of suppressed addresses whose person was erased. From this step on, the key of
    /// the installation protects them. The store converts older digests when it opens the file,
    /// because a step has no key.
    static let keyedDigests027 = """
        /* SQLite */ UPDATE suppression SET folded = 'unkeyed ' || substr(folded, 8)
        WHERE folded LIKE 'erased %';
        """
}
