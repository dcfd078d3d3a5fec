extension Migrations {
    /// Earlier names, addresses and numbers of persons, from before a card changed or was removed.
    /// When a person is erased, texts are searched for these too. They are not used to find people.
    static let knownAs002 = """
        CREATE TABLE known_as (
            person_id TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (kind IN ('name', 'nickname', 'address', 'phone')),
            text TEXT NOT NULL CHECK (text <> ''),
            PRIMARY KEY (person_id, kind, text)
        ) STRICT, WITHOUT ROWID;
        """
}
