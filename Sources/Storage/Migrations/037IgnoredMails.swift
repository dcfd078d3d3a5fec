extension Migrations {
    /// Mails that were read and not taken, with what is known of them, so that a person can take
    /// them by hand.
    static let ignoredMails037 = """
        CREATE TABLE ignored_mail (
            id TEXT PRIMARY KEY NOT NULL,
            read_at INTEGER NOT NULL,
            sender TEXT NOT NULL,
            subject TEXT NOT NULL,
            reason TEXT NOT NULL CHECK (reason <> ''),
            is_answer INTEGER NOT NULL CHECK (is_answer IN (0, 1)),
            meeting_id TEXT REFERENCES meeting ON DELETE CASCADE,
            occurrence TEXT NOT NULL DEFAULT '',
            is_date_open INTEGER NOT NULL CHECK (is_date_open IN (0, 1)),
            person_id TEXT REFERENCES person ON DELETE SET NULL,
            answer TEXT CHECK (answer = 'going' OR answer = 'maybe' OR answer = 'declined'),
            note TEXT NOT NULL DEFAULT '',
            is_done INTEGER NOT NULL DEFAULT 0 CHECK (is_done IN (0, 1))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX ignored_mail_by_time ON ignored_mail (read_at);
        CREATE INDEX ignored_mail_of_meeting ON ignored_mail (meeting_id)
            WHERE meeting_id IS NOT NULL;
        CREATE INDEX ignored_mail_of_person ON ignored_mail (person_id)
            WHERE person_id IS NOT NULL;
        """
}
