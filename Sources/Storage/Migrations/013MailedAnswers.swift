extension Migrations {
    /// Answers by mail: whether the sender could not be authenticated, and the version of the
    /// meeting that was answered with the time of the answer, so that an older answer that arrives
    /// later changes nothing.
    static let mailedAnswers013 = """
        ALTER TABLE answer ADD COLUMN is_unsigned INTEGER NOT NULL DEFAULT 0
            CHECK (is_unsigned = 0 OR is_unsigned = 1);
        ALTER TABLE answer ADD COLUMN reply_sequence INTEGER;
        ALTER TABLE answer ADD COLUMN reply_at INTEGER
            CHECK ((reply_at IS NULL) = (reply_sequence IS NULL));
        """
}
