public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A series with the data that a list of its occurrences shows.
public struct SeriesListing: Sendable {
    /// The series.
    public let meeting: Meeting
    /// The name of the organizer, in lists of meetings that somebody may join; otherwise `nil`.
    public let organizer: String?
    /// The participants of the whole series.
    public let participants: [Participant]
    /// The participants who differ on single occurrences, by the names of the occurrences: those
    /// who answered, were invited or were uninvited there.
    public let dateParticipants: [String: [Participant]]

    /// The participants of one occurrence, including those who were uninvited from it.
    public func people(on date: SeriesDate) -> [Participant] {
        participants.on(dateParticipants[date.name] ?? [])
    }
}

extension Store {
    /// The most series that one list reads. Each of them takes some time, even if it has no
    /// occurrence in the list.
    public static let seriesMax = 20_000

    /// The series of which some occurrence may match the filter. The caller applies the recurrence
    /// rule to find the occurrences that do.
    ///
    /// - Parameters:
    ///   - filter: the filter; its limit is for occurrences, and does not apply.
    ///   - limit: the maximum number of series to return.
    /// - Returns: the series, those that end first before others.
    /// - Throws: ``StoreError``.
    public func series(
        _ filter: MeetingFilter, limit: Int = Store.seriesMax
    ) async throws -> [SeriesListing] {
        let (condition, arguments) = filter.conditionOfSeries(limit: limit)
        let sql = """
            SELECT m.*, \(filter.organizerColumn) FROM meeting m
            WHERE \(condition) ORDER BY m.ends_at LIMIT :limit
            """
        return try await read { db in
            try Row.read(db.cachedStatement(sql: sql), arguments: arguments) {
                try SeriesListing(row: $0, in: db)
            }
        }
    }
}

extension MeetingFilter {
    /// The condition that a series `m` may have an occurrence that matches.
    fileprivate func conditionOfSeries(
        limit: Int
    ) -> (sql: String, arguments: StatementArguments) {
        var parts = [
            "m.repetition IS NOT NULL AND m.ends_at > :after AND m.starts_at < :before"
        ]
        var arguments: [String: (any DatabaseValueConvertible)?] = [
            "limit": limit, "after": endsAfter?.milliseconds ?? 0,
            "before": (startsBefore ?? endsBefore ?? Series.endless).milliseconds,
        ]
        func require(_ sql: String, _ name: String, _ value: String?) {
            guard let value else { return }
            parts.append(sql)
            arguments[name] = value
        }
        // In the series, or in one of its occurrences.
        func takesPart(_ name: String, _ answer: String = "") -> String {
            """
            EXISTS (
                SELECT 1 FROM answer a WHERE a.meeting_id = m.id AND a.person_id = :\(name)
                    AND a.is_removed = 0\(answer))
            """
        }
        require("m.organizer_id = :organizer", "organizer", organizer?.text)
        for (name, person) in [("member", member), ("guest", guests.first)] {
            require(
                "(m.organizer_id = :\(name) OR \(takesPart(name)))", name, person?.text)
        }
        require(
            "m.organizer_id <> :invited AND \(takesPart("invited"))", "invited", invited?.text)
        require(
            takesPart("comer", " AND a.present_answer <> 'declined'"), "comer", comer?.text)
        require(
            takesPart("silent", " AND a.present_answer = 'invited'"), "silent", silent?.text)
        require(MeetingFilter.conditionOfCircle, "circle", circle?.text)
        require(MeetingFilter.conditionOfJoiner, "joiner", joiner?.text)
        require(MeetingFilter.conditionOfFollower, "follower", follower?.text)
        require(MeetingFilter.conditionOfJoined, "joined", joined?.text)
        require("m.id >= :prefix AND m.id < :prefix || '~'", "prefix", idPrefix)
        if isOnlyConfirmed { parts.append("m.status = 'confirmed'") }
        return (parts.joined(separator: " AND "), StatementArguments(arguments))
    }
}

extension SeriesListing {
    fileprivate init(row: Row, in db: Database) throws {
        var meeting = try Meeting(row: row)
        let changes = try DateChange.fetchAll(of: meeting, in: db)
        meeting.series?.changes = changes
        self.meeting = meeting
        organizer = row["organizer"]
        participants = try Participant.fetchAll(of: meeting.id, in: db)
        dateParticipants = try Participant.fetchDates(of: meeting, in: db)
    }
}

extension Store {
    /// The recurring meetings that continue beyond the time up to which their reminders are in the
    /// ledger, if that time is before `horizon`; earliest first.
    public func seriesToPlan(before horizon: Moment, limit: Int) async throws -> [MeetingID] {
        try await read { db in
            try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT id FROM meeting
                        WHERE planned_until IS NOT NULL AND planned_until < ends_at
                            AND status = 'confirmed' AND planned_until < :horizon
                        ORDER BY planned_until LIMIT :limit
                        """), arguments: ["horizon": horizon.milliseconds, "limit": limit]
            ).map { MeetingID(text: $0) }
        }
    }
}
