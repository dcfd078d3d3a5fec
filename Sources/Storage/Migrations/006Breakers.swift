extension Migrations {
    /// The destinations with an open circuit breaker, for other processes to read.
    static let breakers006 = """
        CREATE TABLE open_breaker (
            channel TEXT NOT NULL,
            destination TEXT NOT NULL,
            since INTEGER NOT NULL,
            until INTEGER NOT NULL,
            reason TEXT NOT NULL,
            PRIMARY KEY (channel, destination)
        ) STRICT, WITHOUT ROWID;
        """
}
