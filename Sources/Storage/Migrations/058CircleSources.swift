extension Migrations {
    /// The group cards that circles were made of, with no circle if it was deleted: so the next
    /// import of a group card finds its circle under another name, and makes no deleted one again.
    /// The digests are of the group's name and of its name and members. A card is the maker of a
    /// circle that its import created.
    static let circleSources058 = """
        CREATE TABLE circle_source (
            owner_id TEXT NOT NULL REFERENCES person,
            uid TEXT NOT NULL CHECK (uid <> ''),
            circle_id TEXT REFERENCES circle ON DELETE SET NULL,
            name_digest TEXT NOT NULL,
            card_digest TEXT NOT NULL,
            is_maker INTEGER NOT NULL CHECK (is_maker IN (0, 1)),
            PRIMARY KEY (owner_id, uid)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX circle_source_by_circle ON circle_source (circle_id)
            WHERE circle_id IS NOT NULL;
        """
}
