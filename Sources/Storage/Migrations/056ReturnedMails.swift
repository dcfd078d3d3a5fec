extension Migrations {
    /// An accepted delivery fails if a report says later that it did not arrive. Its attempts get
    /// that outcome, so that no other rule of the ledger changes.
    static let returnedMails056 = """
        /* SQLite */ INSERT INTO legal_turn (before, after) VALUES ('accepted', 'failed');
        """
}
