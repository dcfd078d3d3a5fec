extension Migrations {
    /// The language in which somebody likes to read, as their card says it (BCP 47). Of the cards
    /// that are there, the owner's address book speaks, where one names a language and no more.
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
