extension Migrations {
    /// An index of meetings that do not repeat and last longer than a day (86,400,000 ms): all
    /// others that overlap a time begin at most a day before it. Also indexes from which a person's
    /// first address, and the persons with an address, are read without sorting.
    static let indexes029 = """
        CREATE INDEX meeting_that_is_long ON meeting (ends_at)
            WHERE repetition IS NULL AND ends_at - starts_at > 86400000;
        CREATE INDEX person_address_by_position
            ON person_address (person_id, position, folded, address);
        DROP INDEX person_address_by_folded;
        CREATE INDEX person_address_by_folded ON person_address (folded, person_id);
        """
}
