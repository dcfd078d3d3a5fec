extension Migrations {
    /// A mark for answers that were taken over from another meeting. It is set for answers that are
    /// as old as their meeting: nobody can have given them to it.
    static let copiedAnswers043 = """
        ALTER TABLE answer ADD COLUMN is_copied INTEGER NOT NULL DEFAULT 0
            CHECK (is_copied IN (0, 1));
        /* SQLite */ UPDATE answer SET is_copied = 1 WHERE answer <> 'invited' AND answered_at = (
            SELECT created_at FROM meeting WHERE meeting.id = answer.meeting_id);
        """
}
