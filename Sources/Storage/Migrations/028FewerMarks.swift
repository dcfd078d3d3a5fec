extension Migrations {
    /// Triggers that raised the number of changes for each new participant and each first answer: a
    /// meeting with 50 guests raised it 100 times. The store raises it once for a saved meeting
    /// (``FeedMarks``).
    static let fewerMarks028 = """
        DROP TRIGGER calendar_mark_participant_insert;
        DROP TRIGGER calendar_mark_answer_insert;
        """
}
