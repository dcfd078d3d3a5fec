/// The conditions of lists of open meetings, for a meeting `m`.
extension MeetingFilter {
    /// The condition that the person `:joiner` may join: the meeting is open to an audience to
    /// which they belong, their account is enabled, and neither the organizer nor the person has
    /// blocked the other. A meeting that is open to everybody with the link is in no list.
    static let conditionOfJoiner = """
        m.audience IS NOT NULL AND m.organizer_id <> :joiner
        AND EXISTS (
            SELECT 1 FROM account a WHERE a.person_id = :joiner AND a.is_enabled = 1)
        AND (
            m.audience = 'public'
            OR m.audience = 'followers' AND EXISTS (
                SELECT 1 FROM follow f WHERE f.follower_id = :joiner
                    AND f.followed_id = m.organizer_id AND f.is_accepted = 1)
            OR m.audience = 'circle' AND EXISTS (
                SELECT 1 FROM circle c JOIN circle_member k ON k.circle_id = c.id
                WHERE c.id = m.audience_circle_id AND c.owner_id = m.organizer_id
                    AND k.person_id = :joiner))
        AND NOT EXISTS (
            SELECT 1 FROM block b
            WHERE b.blocker_id = m.organizer_id AND b.blocked_id = :joiner)
        AND NOT EXISTS (
            SELECT 1 FROM block b
            WHERE b.blocker_id = :joiner AND b.blocked_id = m.organizer_id)
        """

    /// The condition that the person `:follower` follows the organizer of an open meeting.
    static let conditionOfFollower = """
        m.audience IS NOT NULL AND m.organizer_id IN (
            SELECT f.followed_id FROM follow f
            WHERE f.follower_id = :follower AND f.is_accepted = 1)
        """

    /// The condition that the person `:joined` asked for a seat and has one or waits for one, or
    /// that the organizer has not decided yet, in the whole meeting or on some date.
    static let conditionOfJoined = """
        m.organizer_id <> :joined AND (
            EXISTS (
                SELECT 1 FROM answer a WHERE a.meeting_id = m.id AND a.person_id = :joined
                    AND a.is_removed = 0 AND a.asked IS NOT NULL
                    AND (a.answer = 'going' OR a.answer = 'waiting'))
            OR EXISTS (
                SELECT 1 FROM seat_request r WHERE r.meeting_id = m.id AND r.person_id = :joined
                    AND r.is_refused = 0))
        """

    /// The SQL of a column with the name of the organizer, in lists of meetings that somebody may
    /// join. In other lists it is not read.
    var organizerColumn: String {
        joiner == nil
            ? "NULL AS organizer"
            : "(SELECT p.name FROM person p WHERE p.id = m.organizer_id) AS organizer"
    }
}
