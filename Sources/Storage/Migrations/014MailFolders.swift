extension Migrations {
    /// How far folders were read in which mail comes in, so that nothing is read twice. A folder's
    /// name is the address of its server, or its path.
    static let mailFolders014 = """
        CREATE TABLE mail_folder (
            name TEXT PRIMARY KEY NOT NULL CHECK (name <> ''),
            validity INTEGER NOT NULL,
            last_number INTEGER NOT NULL CHECK (last_number >= 0),
            looked_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
