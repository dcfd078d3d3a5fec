extension Migrations {
    /// Channels of all participants of one meeting.
    static let meetingChannels017 = """
        ALTER TABLE channel ADD COLUMN meeting_id TEXT REFERENCES meeting ON DELETE CASCADE
            CHECK (meeting_id IS NULL OR person_id IS NULL AND circle_id IS NULL);
        CREATE INDEX channel_by_meeting ON channel (meeting_id) WHERE meeting_id IS NOT NULL;
        DROP INDEX channel_by_mail;
        CREATE UNIQUE INDEX channel_by_mail ON channel (
            coalesce(person_id, ''), coalesce(circle_id, ''), coalesce(meeting_id, ''))
            WHERE sink = 'mail';
        """
}
