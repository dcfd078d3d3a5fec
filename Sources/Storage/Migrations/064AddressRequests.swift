extension Migrations {
    /// Addresses that people want to add to their accounts, until they confirm them with the link
    /// in a mail. Its token is stored as a hash. A row looks the same whether the address is free
    /// or belongs to somebody else. Accounts get the name, the time zone and the area that their
    /// person chose, which address books do not change.
    static let addressRequests064 = """
        CREATE TABLE address_request (
            person_id TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            folded TEXT NOT NULL,
            address TEXT NOT NULL,
            hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),
            asked_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            PRIMARY KEY (person_id, folded)
        ) STRICT;
        CREATE INDEX address_request_by_end ON address_request (expires_at);
        ALTER TABLE account ADD COLUMN name TEXT;
        ALTER TABLE account ADD COLUMN zone TEXT;
        ALTER TABLE account ADD COLUMN area TEXT;
        """
}
