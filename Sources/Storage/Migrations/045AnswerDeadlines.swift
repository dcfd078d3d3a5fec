extension Migrations {
    /// The moment until which the people of a meeting are asked to answer.
    static let answerDeadlines045 = """
        ALTER TABLE meeting ADD COLUMN answer_by INTEGER;
        """
}
