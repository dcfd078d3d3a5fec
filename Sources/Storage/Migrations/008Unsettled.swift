extension Migrations {
    /// Attempts after which another one may wait, by when they ended: so a start finds at once
    /// those that a clock made which was ahead.
    static let unsettled008 = """
        CREATE INDEX attempt_unsettled ON attempt (ended_at)
            WHERE outcome IN ('retry', 'misconfigured', 'ambiguous');
        """
}
