extension Migrations {
    /// To which state of a series an answer to all of it may be given: changes of single dates
    /// raise the meeting's SEQUENCE, too.
    static let seriesSequence021 = """
        ALTER TABLE meeting ADD COLUMN whole_sequence INTEGER;
        UPDATE meeting SET whole_sequence = sequence WHERE repetition IS NOT NULL;
        """
}
