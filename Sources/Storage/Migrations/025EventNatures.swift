extension Migrations {
    /// Further properties of an imported event that calendars show, as the bits of ``EventNature``.
    static let eventNatures025 = """
        ALTER TABLE calendar_object ADD COLUMN nature INTEGER NOT NULL DEFAULT 0
            CHECK (nature >= 0);

        CREATE TRIGGER calendar_mark_calendar_object_update
        AFTER UPDATE OF nature ON calendar_object WHEN NEW.nature <> OLD.nature BEGIN
            UPDATE calendar_mark SET mark = mark + 1;
            INSERT INTO meeting_mark (meeting_id, mark)
            SELECT NEW.meeting_id, m.mark FROM calendar_mark m
            WHERE m.id = 1 AND NEW.meeting_id IS NOT NULL
            ON CONFLICT (meeting_id) DO UPDATE SET mark = excluded.mark;
        END;
        """
}
