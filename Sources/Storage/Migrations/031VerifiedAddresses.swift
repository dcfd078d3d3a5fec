extension Migrations {
    /// A mailed link that signs in proves an address. People who can sign in already keep theirs.
    static let verifiedAddresses031 = """
        ALTER TABLE sign_in_ticket ADD COLUMN address TEXT;
        /* SQLite */ UPDATE person_address SET is_verified = 1
        WHERE EXISTS (SELECT 1 FROM account a WHERE a.person_id = person_address.person_id)
            AND NOT EXISTS (
                SELECT 1 FROM person_address b WHERE b.person_id = person_address.person_id
                    AND (b.position < person_address.position
                        OR b.position = person_address.position
                            AND b.folded < person_address.folded))
            AND NOT EXISTS (
                SELECT 1 FROM person_address c WHERE c.folded = person_address.folded
                    AND c.person_id < person_address.person_id
                    AND EXISTS (SELECT 1 FROM account d WHERE d.person_id = c.person_id));
        """
}
