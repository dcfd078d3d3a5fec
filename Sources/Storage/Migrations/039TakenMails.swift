extension Migrations {
    /// The mails that counted as answers, by their digests, so that each counts once.
    static let takenMails039 = """
        CREATE TABLE taken_mail (
            id TEXT PRIMARY KEY NOT NULL,
            read_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX taken_mail_by_time ON taken_mail (read_at);
        """
}
