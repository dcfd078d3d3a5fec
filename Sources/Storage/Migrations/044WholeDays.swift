extension Migrations {
    /// Lets the next process that sends replan the coming meetings, as after a change of the sinks
    /// that was begun: reminders of whole days come in the evening.
    static let wholeDays044 = """
        /* SQLite */ UPDATE installation SET sinks = sinks || ' begun'
        WHERE sinks IS NOT NULL AND sinks NOT LIKE '% begun';
        """
}
