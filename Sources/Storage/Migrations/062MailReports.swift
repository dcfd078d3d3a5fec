extension Migrations {
    /// Mails of mail systems about mails of this installation that were not understood.
    static let mailReports062 = """
        ALTER TABLE ignored_mail ADD COLUMN is_report INTEGER NOT NULL DEFAULT 0
            CHECK (is_report IN (0, 1));
        """
}
