extension Migrations {
    /// To which state of a series an answer to all of it may be given: changes of single dates
    /// raise the meeting's SEQUENCE, too. At which revision what dates have in common was changed
    /// last, and at which somebody was taken off a date or asked to it.
    static let seriesSequence021 = """
        ALTER TABLE meeting ADD COLUMN whole_sequence INTEGER;
        ALTER TABLE meeting ADD COLUMN dates_revision INTEGER;
        ALTER TABLE answer ADD COLUMN revision INTEGER CHECK (revision >= 1);
        /* SQLite */ UPDATE meeting SET dates_revision = whole_revision, whole_sequence = sequence
            WHERE repetition IS NOT NULL;
        """
}
