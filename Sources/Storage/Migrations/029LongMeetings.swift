extension Migrations {
    /// An index of meetings that do not repeat and last longer than a day (86,400,000 ms). All
    /// others that overlap a time begin at most a day before it.
    static let longMeetings029 = """
        CREATE INDEX meeting_that_is_long ON meeting (ends_at)
            WHERE repetition IS NULL AND ends_at - starts_at > 86400000;
        """
}
