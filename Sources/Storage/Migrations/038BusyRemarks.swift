extension Migrations {
    /// The kinds of data that could not be read in a calendar of busy times: one sentence a line.
    static let busyRemarks038 = """
        ALTER TABLE busy_calendar ADD COLUMN remarks TEXT NOT NULL DEFAULT '';
        """
}
