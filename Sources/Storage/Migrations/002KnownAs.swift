extension Migrations {
    /// By what persons were known before a card of theirs changed or was removed: who is erased is
    /// sought in texts under these as well. Nobody is found by them.
    static let knownAs002 = """
        CREATE TABLE known_as (
            person_id TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (kind IN ('name', 'nickname', 'address', 'phone')),
            text TEXT NOT NULL CHECK (text <> ''),
            PRIMARY KEY (person_id, kind, text)
        ) STRICT, WITHOUT ROWID;
        """
}
