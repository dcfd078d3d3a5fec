extension Migrations {
    /// The position up to which incoming mail folders were read, so that nothing is read twice. For
    /// a folder on a server, the name is its address and the number that of the last mail. For a
    /// folder of files, the name is its path and the number the time when the last file was
    /// written, in seconds since 1970.
    static let mailFolders014 = """
        CREATE TABLE mail_folder (
            name TEXT PRIMARY KEY NOT NULL CHECK (name <> ''),
            validity INTEGER NOT NULL,
            last_number INTEGER NOT NULL CHECK (last_number >= 0),
            looked_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
