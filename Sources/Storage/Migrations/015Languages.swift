extension Migrations {
    /// The preferred language of a person, as named in their card (BCP 47). For existing cards, it
    /// is taken from the owner's address book if the card names a language without parameters.
    static let languages015 = """
        ALTER TABLE person ADD COLUMN language TEXT;
        /* SQLite */ UPDATE person SET language = (
            SELECT substr(tail, 1, instr(tail, char(13)) - 1) FROM (
                SELECT substr(c.card, instr(c.card, char(10) || 'LANG:') + 6) AS tail
                FROM contact c JOIN installation i ON i.owner_id = c.owner_id
                WHERE c.person_id = person.id AND instr(c.card, char(10) || 'LANG:') > 0) AS named
            WHERE instr(tail, char(13)) BETWEEN 3 AND 36)
        WHERE EXISTS (
            SELECT 1 FROM contact c JOIN installation i ON i.owner_id = c.owner_id
            WHERE c.person_id = person.id AND instr(c.card, char(10) || 'LANG:') > 0);
        """
}
