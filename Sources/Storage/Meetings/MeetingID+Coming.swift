public import Agenda
import GRDB
public import Ledger
public import Timekeeping

extension Store {
    /// The coming meetings of a person, if only of single dates, and those that are over, but with
    /// a message that was not sent yet; earliest first.
    public func comingMeetings(of person: PersonID, now: Moment) async throws -> [MeetingID] {
        try await read { db in try MeetingID.coming(of: person, now: now, in: db) }
    }
}

extension MeetingID {
    /// The SQL condition that a meeting `m` is coming, or that a message about it, written after
    /// its end, was not sent yet. The parameters are those of ``moments(_:)``.
    static var isComing: String {
        """
        m.ends_at > :late AND (m.ends_at > :now OR EXISTS (
            SELECT 1 FROM delivery d
            WHERE d.meeting_id = m.id AND d.kind = 'message' AND d.deadline > :now
                AND d.state NOT IN ('accepted', 'superseded', 'expired')))
        """
    }

    /// The parameters of ``isComing``.
    static func moments(_ now: Moment) -> StatementArguments {
        let late = now.advanced(bySeconds: -Int64(MeetingRules.lateMessageDays) * 86_400)
        return ["now": now.milliseconds, "late": late.milliseconds]
    }

    /// The coming meetings of a person, as ``isComing``, earliest first, read in pages of `rowsMax`
    /// rows.
    static func coming(
        of person: PersonID, now: Moment, in db: Database, rowsMax: Int = 1000
    ) throws -> [MeetingID] {
        // The CROSS JOIN starts from the few meetings of the person, not from all coming meetings.
        let page = try db.cachedStatement(
            sql: """
                SELECT m.starts_at, m.id FROM participant p CROSS JOIN meeting m
                WHERE p.person_id = :person AND m.id = p.meeting_id AND \(isComing)
                    AND (m.starts_at, m.id) > (:start, :id)
                ORDER BY m.starts_at, m.id LIMIT :limit
                """)
        var found: [MeetingID] = []
        var last = (start: Int64.min, id: "")
        while true {
            let arguments: StatementArguments = [
                "person": person.text, "start": last.start, "id": last.id, "limit": rowsMax,
            ]
            let rows = try Row.fetchAll(page, arguments: moments(now) + arguments)
            found += rows.map { MeetingID(text: $0["id"]) }
            guard rows.count == rowsMax, let end = rows.last else { return found }
            last = (end["starts_at"], end["id"])
        }
    }

    /// The coming meetings in which at least one of these people takes part, without repeats.
    static func coming(
        ofAny people: [PersonID], now: Moment, in db: Database
    ) throws -> [MeetingID] {
        Set(try people.flatMap { try coming(of: $0, now: now, in: db) })
            .sorted { $0.text < $1.text }
    }
}
