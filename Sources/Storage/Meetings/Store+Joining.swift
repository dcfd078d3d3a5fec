public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// The reasons for which a person may see and join an open meeting.
extension Store {
    /// True if a person may join a meeting without an invitation: it is open to them, their account
    /// is enabled, and neither they nor the organizer block the other. Who has the link of a
    /// meeting that is open for it is not asked here.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - meeting: the meeting.
    /// - Returns: true if they may join.
    /// - Throws: ``StoreError``.
    public func mayJoin(_ person: PersonID, _ meeting: MeetingID) async throws -> Bool {
        try await read { db in try OpenAudience.contains(person, of: meeting, in: db) }
    }

    /// The undecided minimums of meetings whose deadline has come, the earliest first.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - limit: the most meetings to return.
    /// - Returns: the meetings.
    /// - Throws: ``StoreError``.
    public func minimums(dueBy now: Moment, limit: Int) async throws -> [MeetingID] {
        try await read { db in
            try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT id FROM meeting
                        WHERE minimum_by IS NOT NULL AND minimum_outcome IS NULL
                            AND minimum_by <= :now
                        ORDER BY minimum_by LIMIT :limit
                        """), arguments: ["now": now.milliseconds, "limit": limit]
            ).map { MeetingID(text: $0) }
        }
    }

    /// The earliest deadline of a minimum on which nothing is decided; `nil` if there is none.
    public func nextMinimum() async throws -> Moment? {
        try await read { db in
            try Int64.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT min(minimum_by) FROM meeting
                        WHERE minimum_by IS NOT NULL AND minimum_outcome IS NULL
                        """)
            ).map(Moment.init(milliseconds:))
        }
    }

    /// The coming meetings of an organizer in which a person takes part or asked to join.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - organizer: the organizer.
    ///   - now: the current time.
    ///   - limit: the most meetings to return.
    /// - Returns: the meetings, the next to end first.
    /// - Throws: ``StoreError``.
    public func meetings(
        with person: PersonID, of organizer: PersonID, endingAfter now: Moment, limit: Int
    ) async throws -> [MeetingID] {
        try await read { db in
            try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT m.id FROM meeting m
                        WHERE m.organizer_id = :organizer AND m.ends_at > :now AND (
                            EXISTS (
                                SELECT 1 FROM answer a WHERE a.meeting_id = m.id
                                    AND a.person_id = :person AND a.is_removed = 0)
                            OR EXISTS (
                                SELECT 1 FROM seat_request s WHERE s.meeting_id = m.id
                                    AND s.person_id = :person))
                        ORDER BY m.ends_at, m.id LIMIT :limit
                        """),
                arguments: [
                    "organizer": organizer.text, "person": person.text, "now": now.milliseconds,
                    "limit": limit,
                ]
            ).map { MeetingID(text: $0) }
        }
    }
}

extension OpenAudience {
    /// True if a meeting is open to a person.
    static func contains(
        _ person: PersonID, of meeting: MeetingID, in db: Database
    ) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM meeting m WHERE m.id = :meeting AND \(holds))"),
            arguments: ["meeting": meeting.text, "person": person.text]) == true
    }

    /// The condition that a meeting `m` is open to the person `:person`.
    static let holds = """
        m.audience IS NOT NULL AND EXISTS (
            SELECT 1 FROM account a WHERE a.person_id = :person AND a.is_enabled = 1)
        AND (m.audience = 'public'
            OR m.audience = 'followers' AND EXISTS (
                SELECT 1 FROM follow f WHERE f.follower_id = :person
                    AND f.followed_id = m.organizer_id AND f.is_accepted = 1)
            OR m.audience = 'circle' AND EXISTS (
                SELECT 1 FROM circle_member c JOIN circle k ON k.id = c.circle_id
                WHERE c.circle_id = m.audience_circle_id AND c.person_id = :person
                    AND k.owner_id = m.organizer_id))
        AND NOT EXISTS (
            SELECT 1 FROM block b
            WHERE b.blocker_id = m.organizer_id AND b.blocked_id = :person)
        AND NOT EXISTS (
            SELECT 1 FROM block b
            WHERE b.blocker_id = :person AND b.blocked_id = m.organizer_id)
        """
}
