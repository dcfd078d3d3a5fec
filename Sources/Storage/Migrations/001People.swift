extension Migrations {
    /// Persons, their addresses, and address books.
    ///
    /// An unverified address may belong to several persons (families share one), a verified one to
    /// a single person. A person who was merged into another one keeps the row as a redirect.
    /// `contact_alias` keeps the UIDs that files use for the merged card, so that importing such a
    /// file again does not undo the merge.
    static let people001 = """
        CREATE TABLE person (
            id TEXT PRIMARY KEY NOT NULL CHECK (length(id) = 16),
            name TEXT NOT NULL,
            zone TEXT,
            merged_into TEXT REFERENCES person CHECK (merged_into <> id),
            is_erased INTEGER NOT NULL DEFAULT 0 CHECK (is_erased IN (0, 1)),
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX person_by_redirect ON person (merged_into) WHERE merged_into IS NOT NULL;

        CREATE TABLE person_address (
            person_id TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            folded TEXT NOT NULL,
            address TEXT NOT NULL,
            position INTEGER NOT NULL,
            is_verified INTEGER NOT NULL DEFAULT 0 CHECK (is_verified IN (0, 1)),
            PRIMARY KEY (person_id, folded)
        ) STRICT;
        CREATE UNIQUE INDEX person_address_verified
            ON person_address (folded) WHERE is_verified = 1;
        CREATE INDEX person_address_by_folded ON person_address (folded);

        CREATE TABLE installation (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            owner_id TEXT NOT NULL REFERENCES person
        ) STRICT;

        CREATE TABLE contact (
            number INTEGER PRIMARY KEY,
            owner_id TEXT NOT NULL REFERENCES person,
            person_id TEXT NOT NULL REFERENCES person,
            uid TEXT,
            sort_key TEXT NOT NULL,
            card TEXT NOT NULL CHECK (card LIKE 'BEGIN:VCARD%'),
            UNIQUE (person_id, owner_id)
        ) STRICT;
        CREATE UNIQUE INDEX contact_by_uid ON contact (owner_id, uid) WHERE uid IS NOT NULL;
        CREATE INDEX contact_by_name ON contact (owner_id, sort_key, person_id);

        CREATE TABLE contact_alias (
            owner_id TEXT NOT NULL,
            uid TEXT NOT NULL,
            contact_number INTEGER NOT NULL REFERENCES contact ON DELETE CASCADE,
            PRIMARY KEY (owner_id, uid)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX contact_alias_by_contact ON contact_alias (contact_number);

        CREATE TABLE card_source (
            owner_id TEXT NOT NULL,
            uid TEXT NOT NULL,
            contact_number INTEGER NOT NULL REFERENCES contact ON DELETE CASCADE,
            digest TEXT NOT NULL,
            PRIMARY KEY (owner_id, uid)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX card_source_by_contact ON card_source (contact_number);

        CREATE TABLE contact_key (
            owner_id TEXT NOT NULL,
            key TEXT NOT NULL,
            rank INTEGER NOT NULL CHECK (rank BETWEEN 0 AND 2),
            contact_number INTEGER NOT NULL REFERENCES contact ON DELETE CASCADE,
            PRIMARY KEY (owner_id, key, rank, contact_number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX contact_key_by_contact ON contact_key (contact_number);
        CREATE VIRTUAL TABLE contact_text USING fts5 (name, tokenize = 'trigram');

        CREATE TABLE circle (
            id TEXT PRIMARY KEY NOT NULL,
            owner_id TEXT NOT NULL REFERENCES person,
            name TEXT NOT NULL,
            folded TEXT NOT NULL CHECK (folded <> ''),
            UNIQUE (owner_id, folded)
        ) STRICT;
        CREATE TABLE circle_member (
            circle_id TEXT NOT NULL REFERENCES circle ON DELETE CASCADE,
            person_id TEXT NOT NULL REFERENCES person,
            PRIMARY KEY (circle_id, person_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX circle_member_by_person ON circle_member (person_id);

        CREATE TABLE reminder_policy (
            person_id TEXT PRIMARY KEY NOT NULL REFERENCES person ON DELETE CASCADE,
            offsets TEXT NOT NULL CHECK (json_valid(offsets))
        ) STRICT;
        """
}
