extension Migrations {
    /// The people who were taken out of a circle by hand: an import does not add them again.
    static let circleLeavers050 = """
        CREATE TABLE circle_leaver (
            circle_id TEXT NOT NULL REFERENCES circle ON DELETE CASCADE,
            person_id TEXT NOT NULL REFERENCES person,
            PRIMARY KEY (circle_id, person_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX circle_leaver_by_person ON circle_leaver (person_id);
        """
}
