extension Migrations {
    /// The sources of the pictures of contacts: the photo of a card, or the choice of the owner of
    /// the address book, which an import does not replace. An import that gives a contact a picture
    /// records the one before, so that it can be taken back. The pictures until now count as
    /// chosen.
    ///
    /// The triggers of ``accountMarks068`` for persons and addresses run several times for each
    /// contact of an import. They now run for real changes only, and without a temporary table. The
    /// pause of a channel is news, too.
    static let pictureSources069 = """
        ALTER TABLE contact ADD COLUMN photo TEXT
            CHECK (length(photo) = 64 AND photo NOT GLOB '*[^0-9a-f]*');
        ALTER TABLE contact ADD COLUMN is_own_picture INTEGER NOT NULL DEFAULT 0
            CHECK (is_own_picture IN (0, 1));
        /* SQLite */ UPDATE contact SET is_own_picture = 1 WHERE picture IS NOT NULL;

        ALTER TABLE imported_contact ADD COLUMN old_picture TEXT;
        ALTER TABLE imported_contact ADD COLUMN old_photo TEXT;
        ALTER TABLE imported_contact ADD COLUMN old_is_own_picture INTEGER NOT NULL DEFAULT 0
            CHECK (old_is_own_picture IN (0, 1));
        ALTER TABLE imported_contact ADD COLUMN new_picture TEXT;
        CREATE INDEX imported_contact_by_picture ON imported_contact (old_picture)
            WHERE old_picture IS NOT NULL;

        \(personMarks)
        """

    private static let personMarks =
        ([
            "1_person_update", "2_person_address_insert", "2_person_address_delete",
            "2_person_address_update",
        ].map { "DROP TRIGGER account_mark_\($0);" }
        + [
            trigger(
                "person", "UPDATE OF name, zone, language, merged_into", news(of: "NEW.id"),
                when: """
                    NEW.name <> OLD.name OR NEW.zone IS NOT OLD.zone
                    OR NEW.language IS NOT OLD.language
                    OR NEW.merged_into IS NOT OLD.merged_into
                    """),
            trigger("person_address", "INSERT", news(of: "NEW.person_id")),
            trigger("person_address", "DELETE", news(of: "OLD.person_id")),
            trigger(
                "person_address", "UPDATE OF address, position, is_verified",
                news(of: "NEW.person_id"),
                when: """
                    NEW.address <> OLD.address OR NEW.position <> OLD.position
                    OR NEW.is_verified <> OLD.is_verified
                    """),
            trigger(
                "channel", "UPDATE OF is_paused",
                [
                    mark("'me'", "account a WHERE a.person_id = NEW.person_id"),
                    mark(
                        "'circles'",
                        """
                        circle k JOIN account a ON a.person_id = k.owner_id
                        WHERE k.id = NEW.circle_id
                        """),
                ], when: "NEW.is_paused <> OLD.is_paused"),
        ]).joined(separator: "\n")

    /// Tells those who have a card of a person, and the person.
    private static func news(of person: String) -> [String] {
        [
            mark(
                "'people'",
                """
                contact k JOIN account a ON a.person_id = k.owner_id
                WHERE k.person_id = \(person)
                """), mark("'me'", "account a WHERE a.person_id = \(person)"),
        ]
    }

    /// Raises the mark of a topic for some accounts `a`.
    private static func mark(_ topic: String, _ accounts: String) -> String {
        """
        INSERT INTO account_mark (person_id, topic, mark)
            SELECT a.person_id, \(topic), (SELECT mark FROM live_mark WHERE id = 1)
            FROM \(accounts)
            ON CONFLICT (person_id, topic) DO UPDATE SET mark = excluded.mark;
        """
    }

    private static func trigger(
        _ table: String, _ deed: String, _ marks: [String], when condition: String = ""
    ) -> String {
        let name = deed.prefix { $0 != " " }.lowercased()
        return """
            CREATE TRIGGER account_mark_of_\(table)_\(name)
            AFTER \(deed) ON \(table) \(condition.isEmpty ? "" : "WHEN \(condition) ")BEGIN
                UPDATE live_mark SET mark = mark + 1 WHERE id = 1;
                \(marks.joined(separator: "\n"))
            END;
            """
    }
}
