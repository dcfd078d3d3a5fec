extension Migrations {
    /// The birthdays of contacts as month and day, such as "0412", by which they are found; people
    /// who do not want to be shown them; and feeds of birthdays.
    static let birthdays047 = """
        ALTER TABLE contact ADD COLUMN birthday TEXT CHECK (length(birthday) = 4);
        CREATE INDEX contact_by_birthday ON contact (owner_id, birthday, sort_key)
            WHERE birthday IS NOT NULL;
        ALTER TABLE person ADD COLUMN hides_birthdays INTEGER NOT NULL DEFAULT 0
            CHECK (hides_birthdays IN (0, 1));
        ALTER TABLE feed ADD COLUMN is_of_birthdays INTEGER NOT NULL DEFAULT 0
            CHECK (is_of_birthdays IN (0, 1));
        /* SQLite */ UPDATE contact
            SET birthday = substr(card, instr(card, char(10) || 'BDAY:--') + 8, 4)
            WHERE card GLOB '*' || char(10) || 'BDAY:--[01][0-9][0-3][0-9]*';
        /* SQLite */ UPDATE contact
            SET birthday = substr(card, instr(card, char(10) || 'BDAY:') + 10, 4)
            WHERE card GLOB
                '*' || char(10) || 'BDAY:[0-9][0-9][0-9][0-9][01][0-9][0-3][0-9]*';
        \(marks)
        """

    /// Feeds of birthdays change with the birthdays and names of contacts.
    private static let marks = [
        ("insert", "INSERT", "NEW.birthday IS NOT NULL"),
        ("delete", "DELETE", "OLD.birthday IS NOT NULL"),
        (
            "update", "UPDATE OF owner_id, birthday, sort_key",
            "NEW.birthday IS NOT NULL OR OLD.birthday IS NOT NULL"
        ),
    ].map { name, deed, condition in
        """
        CREATE TRIGGER calendar_mark_contact_\(name)
        AFTER \(deed) ON contact WHEN \(condition) BEGIN
            UPDATE calendar_mark SET mark = mark + 1;
        END;
        """
    }.joined(separator: "\n")
}
