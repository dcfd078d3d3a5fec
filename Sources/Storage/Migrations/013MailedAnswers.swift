extension Migrations {
    /// Answers that came by mail: whether nobody vouches for who sent it, and to which state of the
    /// meeting it answered, and when, so that an older one that arrives later changes nothing.
    static let mailedAnswers013 = """
        ALTER TABLE answer ADD COLUMN is_unsigned INTEGER NOT NULL DEFAULT 0
            CHECK (is_unsigned = 0 OR is_unsigned = 1);
        ALTER TABLE answer ADD COLUMN reply_sequence INTEGER;
        ALTER TABLE answer ADD COLUMN reply_at INTEGER
            CHECK ((reply_at IS NULL) = (reply_sequence IS NULL));
        """
}
