import Agenda
import GRDB
import Ledger
import Timekeeping

/// Reads recurring meetings from rows, and writes them.
extension Series {
    /// Creates the series of a row; `nil` if the meeting does not repeat. Exceptions are read
    /// separately.
    init?(row: Row) throws {
        guard let rule = row["repetition"] as String? else { return nil }
        self.init(
            rule: try StoredValue.read(rule) { try RecurrenceRule($0) },
            endsAt: Moment(milliseconds: row["ends_at"]), revision: row["whole_revision"],
            sequence: row["whole_sequence"],
            plannedUntil: Moment(milliseconds: row["planned_until"]))
        datesRevision = row["dates_revision"]
    }
}

extension Series {
    /// Deletes the exceptions and the single-date answers of a meeting that no longer repeats.
    static func forgetDates(of meeting: MeetingID, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM meeting_override WHERE meeting_id = :meeting")
            .execute(arguments: ["meeting": meeting.text])
        try db.cachedStatement(
            sql: "DELETE FROM answer WHERE meeting_id = :meeting AND occurrence <> ''"
        ).execute(arguments: ["meeting": meeting.text])
        try db.cachedStatement(
            sql: "DELETE FROM seat_request WHERE meeting_id = :meeting AND occurrence <> ''"
        ).execute(arguments: ["meeting": meeting.text])
    }
}

extension DateChange {
    /// The exceptions of a meeting, by the names of their occurrences.
    static func fetchAll(of meeting: Meeting, in db: Database) throws -> [String: DateChange] {
        guard meeting.series != nil else { return [:] }
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT * FROM meeting_override WHERE meeting_id = :id ORDER BY occurrence"),
            arguments: ["id": meeting.id.text])
        return Dictionary(
            try rows.map { ($0["occurrence"], try DateChange(row: $0, zone: meeting.time.zone)) },
            uniquingKeysWith: { $1 })
    }

    init(row: Row, zone: String) throws {
        self.init(revision: row["revision"], sequence: row["sequence"])
        status = try StoredValue.decode(row["status"])
        if row["has_place"] { place = .other(MeetingPlace(row: row)) }
        guard let start = row["start_wall"] as String? else { return }
        time = MeetingTime(
            start: try StoredValue.read(start) { try WallTime.parse($0) }, zone: zone,
            duration: try StoredValue.read(row["duration"]) { try TimeSpan.parse($0) },
            startsAt: Moment(milliseconds: row["starts_at"]),
            endsAt: Moment(milliseconds: row["ends_at"]))
    }

    /// Saves the exceptions of a meeting, and deletes all others.
    static func save(of meeting: Meeting, in db: Database) throws {
        guard let changes = meeting.series?.changes else { return }
        let known = try fetchAll(of: meeting, in: db)
        for name in known.keys where changes[name] == nil {
            try db.cachedStatement(
                sql: """
                    DELETE FROM meeting_override
                    WHERE meeting_id = :meeting AND occurrence = :name
                    """
            ).execute(arguments: ["meeting": meeting.id.text, "name": name])
        }
        for (name, change) in changes where known[name] != change {
            try change.save(name, of: meeting.id, in: db)
        }
    }

    private func save(_ name: String, of meeting: MeetingID, in db: Database) throws {
        var own: MeetingPlace?
        if case .other(let place) = place { own = place }
        try db.cachedStatement(
            sql: """
                INSERT INTO meeting_override (
                    meeting_id, occurrence, status, start_wall, duration, starts_at, ends_at,
                    has_place, place_reference, place_text, place_latitude, place_longitude,
                    revision, sequence)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (meeting_id, occurrence) DO UPDATE SET
                    status = excluded.status, start_wall = excluded.start_wall,
                    duration = excluded.duration, starts_at = excluded.starts_at,
                    ends_at = excluded.ends_at, has_place = excluded.has_place,
                    place_reference = excluded.place_reference,
                    place_text = excluded.place_text, place_latitude = excluded.place_latitude,
                    place_longitude = excluded.place_longitude, revision = excluded.revision,
                    sequence = excluded.sequence
                """
        ).execute(arguments: [
            meeting.text, name, status.rawValue, time?.start.description, time?.duration.iso,
            time?.startsAt.milliseconds, time?.endsAt.milliseconds, place != .asAll,
            own?.reference, own?.text, own?.latitude, own?.longitude, revision, sequence,
        ])
    }
}

extension Participant {
    /// The participants who differ on single occurrences of a meeting, by the names of the
    /// occurrences: those who answered, were invited or were uninvited there. For a meeting that no
    /// longer repeats: the people who must be notified that an occurrence is cancelled.
    static func fetchDates(of meeting: Meeting, in db: Database) throws -> [String: [Participant]] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT a.* FROM answer a JOIN participant p
                        ON p.meeting_id = a.meeting_id AND p.person_id = a.person_id
                    WHERE a.meeting_id = :id AND a.occurrence <> ''
                    ORDER BY a.occurrence, p.position, p.person_id
                    """), arguments: ["id": meeting.id.text])
        return try Dictionary(grouping: rows) { $0["occurrence"] as String }
            .mapValues { try $0.map(Participant.init(row:)) }
    }

    /// The start for which a person's answer was given, if it does not hold for the present one.
    static func outdatedStart(
        of person: PersonID, in meeting: MeetingID, on date: String, _ db: Database
    ) throws -> Moment? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT answered_for FROM answer
                    WHERE meeting_id = ? AND occurrence = ? AND person_id = ? AND is_outdated = 1
                    """), arguments: [meeting.text, date, person.text]
        ).map(Moment.init(milliseconds:))
    }

    /// A person's answers to single occurrences that hold for their present times.
    static func dateAnswers(
        of person: PersonID, in meeting: MeetingID, _ db: Database
    ) throws -> [String: Answer] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT occurrence, present_answer FROM answer
                    WHERE meeting_id = ? AND occurrence <> '' AND person_id = ? AND is_removed = 0
                    """), arguments: [meeting.text, person.text])
        return try Dictionary(
            rows.map { ($0[0], try StoredValue.decode($0[1])) }, uniquingKeysWith: { $1 })
    }

    /// Saves the participants who differ on single occurrences, and deletes all others.
    static func save(
        dates: [String: [Participant]], of meeting: Meeting, now: Moment, in db: Database
    ) throws {
        let known = try fetchDates(of: meeting, in: db)
        for (name, participants) in known {
            let kept = Set(dates[name]?.map(\.person) ?? [])
            for participant in participants where !kept.contains(participant.person) {
                try participant.forgetAnswer(of: meeting.id, on: name, in: db)
            }
        }
        for (name, participants) in dates {
            for participant in participants
            where known[name]?.contains(participant) != true {
                let last = try lastPosition(of: meeting.id, in: db) ?? -1
                try participant.insert(position: last + 1, of: meeting.id, in: db)
                let old = known[name]?.first { $0.person == participant.person }
                let notedAt = participant.notedAt(besides: old, now: now)
                if notedAt == now, !participant.isOnlyInvited(after: old) {
                    try participant.settleMails(of: meeting.id, on: name, in: db)
                }
                try participant.saveAnswer(of: meeting.id, on: name, at: notedAt, in: db)
            }
        }
        if dates != known { try FeedMarks.raise(for: meeting.id, in: db) }
    }

    private func forgetAnswer(of meeting: MeetingID, on date: String, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM answer
                WHERE meeting_id = :meeting AND occurrence = :date AND person_id = :person
                """
        ).execute(arguments: ["meeting": meeting.text, "date": date, "person": person.text])
    }
}
