extension Migrations {
    /// The sequence number that an answer to a whole series must refer to: changes of single dates
    /// also raise the meeting's SEQUENCE. Also the revision at which the common facts of the dates
    /// last changed, and the revision at which a person was last invited to a date or removed from
    /// it.
    static let seriesSequence021 = """
        ALTER TABLE meeting ADD COLUMN whole_sequence INTEGER;
        ALTER TABLE meeting ADD COLUMN dates_revision INTEGER;
        ALTER TABLE answer ADD COLUMN revision INTEGER CHECK (revision >= 1);
        /* SQLite */ UPDATE meeting SET dates_revision = whole_revision, whole_sequence = sequence
            WHERE repetition IS NOT NULL;
        """
}
