extension Migrations {
    /// How far folders were read in which mail comes in, so that nothing is read twice: the last
    /// number of a mail on a server, whose address is the name; of files in the folder of that path
    /// when the last one was written, in seconds since 1970.
    static let mailFolders014 = """
        CREATE TABLE mail_folder (
            name TEXT PRIMARY KEY NOT NULL CHECK (name <> ''),
            validity INTEGER NOT NULL,
            last_number INTEGER NOT NULL CHECK (last_number >= 0),
            looked_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
