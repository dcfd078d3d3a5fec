extension Migrations {
    /// The changes of imports of contacts, so that an import can be taken back: each contact with
    /// its card before and a digest of its card after, and the circles and memberships that the
    /// import made. A contact without an earlier card is new.
    ///
    /// The other indexes find out quickly that nothing refers to a person whose row is deleted.
    static let importRecords067 = """
        CREATE TABLE contact_import (
            id TEXT PRIMARY KEY NOT NULL CHECK (length(id) = 16),
            owner_id TEXT NOT NULL REFERENCES person,
            made_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX contact_import_by_owner ON contact_import (owner_id, made_at);

        CREATE TABLE imported_contact (
            import_id TEXT NOT NULL REFERENCES contact_import ON DELETE CASCADE,
            contact_number INTEGER NOT NULL REFERENCES contact ON DELETE CASCADE,
            card TEXT CHECK (card LIKE 'BEGIN:VCARD%'),
            sources TEXT NOT NULL,
            digest TEXT NOT NULL,
            is_new_person INTEGER NOT NULL CHECK (is_new_person IN (0, 1)),
            is_joined INTEGER NOT NULL CHECK (is_joined IN (0, 1)),
            PRIMARY KEY (import_id, contact_number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX imported_contact_by_contact ON imported_contact (contact_number);

        CREATE TABLE imported_member (
            import_id TEXT NOT NULL REFERENCES contact_import ON DELETE CASCADE,
            circle_id TEXT NOT NULL REFERENCES circle ON DELETE CASCADE,
            person_id TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            PRIMARY KEY (import_id, person_id, circle_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX imported_member_by_circle ON imported_member (circle_id);
        CREATE INDEX imported_member_by_person ON imported_member (person_id);

        CREATE TABLE imported_circle (
            import_id TEXT NOT NULL REFERENCES contact_import ON DELETE CASCADE,
            circle_id TEXT NOT NULL REFERENCES circle ON DELETE CASCADE,
            PRIMARY KEY (import_id, circle_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX imported_circle_by_circle ON imported_circle (circle_id);

        CREATE INDEX meeting_history_by_actor ON meeting_history (actor_id);
        CREATE INDEX body_by_author ON body (author_id);
        CREATE INDEX person_merge_by_other ON person_merge (other_id);
        """
}
