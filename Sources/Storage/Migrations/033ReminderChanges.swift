extension Migrations {
    /// The time at which each person last chose other reminders, by the clock at that time. If that
    /// clock was ahead, the person's coming meetings are planned again once it was set back.
    static let reminderChanges033 = """
        ALTER TABLE person ADD COLUMN reminders_changed_at INTEGER;
        CREATE INDEX person_by_reminder_change ON person (reminders_changed_at)
            WHERE reminders_changed_at IS NOT NULL;
        """
}
