extension Migrations {
    /// Finds the guests for whom an organizer typed a name or an address, without reading
    /// everything to which they are invited.
    static let typedGuests060 = """
        CREATE INDEX participant_by_typed_name ON participant (person_id)
            WHERE typed_name <> '';
        """
}
