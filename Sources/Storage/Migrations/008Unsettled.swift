extension Migrations {
    /// An index of attempts that may be followed by another one, by the time they ended. At its
    /// start the daemon uses it to find attempts that were made while the clock was ahead.
    static let unsettled008 = """
        CREATE INDEX attempt_unsettled ON attempt (ended_at)
            WHERE outcome IN ('retry', 'misconfigured', 'ambiguous');
        """
}
