extension Migrations {
    /// Guests who were invited only with a circle. This was not recorded before, so the members of
    /// a circle that was invited count as invited with it.
    static let guestsByCircle054 = """
        ALTER TABLE answer ADD COLUMN is_by_circle INTEGER NOT NULL DEFAULT 0
            CHECK (is_by_circle IN (0, 1));
        /* SQLite */ UPDATE answer SET is_by_circle = 1 WHERE EXISTS (
            SELECT 1 FROM circle_asking k JOIN circle_member m ON m.circle_id = k.circle_id
            WHERE k.meeting_id = answer.meeting_id AND m.person_id = answer.person_id);
        """
}
