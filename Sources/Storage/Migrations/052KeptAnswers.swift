extension Migrations {
    /// Answers to single dates that were kept because a later answer was for the dates after them
    /// only. A newer answer to all dates replaces them.
    static let keptAnswers052 = """
        ALTER TABLE answer ADD COLUMN is_kept INTEGER NOT NULL DEFAULT 0 CHECK (is_kept IN (0, 1));
        """
}
