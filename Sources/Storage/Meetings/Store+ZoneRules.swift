public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// The times of a meeting, without its other details.
public struct MeetingMoments: Sendable {
    /// The meeting.
    public let id: MeetingID
    /// The start and the end; for a series, those of its first occurrence.
    public let time: MeetingTime
    /// The end of the last occurrence.
    public let endsAt: Moment
    /// True if the meeting repeats. Then occurrences other than the first may move.
    public let isSeries: Bool
}

/// A meeting that moved in absolute time because the rules of its time zone changed. Its wall-clock
/// time stayed the same.
public struct MovedMeeting: Equatable, Sendable {
    /// The meeting.
    public let id: MeetingID
    /// The zone whose rules changed.
    public let zone: String
    /// The time at which the change was noticed.
    public let at: Moment
    /// The start by the old rules.
    public let startedAt: Moment
    /// The start by the new rules.
    public let startsAt: Moment
}

extension Store {
    /// The maximum number of time zones to read; there are about 600 names.
    private static let zonesMax = 2000

    /// The time zones of meetings that end after a moment.
    public func zonesInUse(endingAfter now: Moment) async throws -> [String] {
        try await read { db in
            var zones: [String] = []
            var last = ""
            // One index lookup for each zone, regardless of the number of its meetings.
            while zones.count < Self.zonesMax,
                let next = try String.fetchOne(
                    db.cachedStatement(sql: "SELECT min(zone) FROM meeting WHERE zone > :last"),
                    arguments: ["last": last])
            {
                last = next
                let isInUse = try Bool.fetchOne(
                    db.cachedStatement(
                        sql: """
                            SELECT EXISTS (
                                SELECT 1 FROM meeting WHERE zone = :zone AND ends_at > :now)
                            """), arguments: ["zone": next, "now": now.milliseconds])
                if isInUse == true { zones.append(next) }
            }
            return zones
        }
    }

    /// The digests of the time zone rules that were used to compute the moments of coming meetings,
    /// by time zone.
    public func zoneDigests() async throws -> [String: String] {
        try await read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: "SELECT zone, digest FROM zone_rules ORDER BY zone LIMIT :limit"),
                arguments: ["limit": Self.zonesMax])
            return Dictionary(
                rows.map { ($0["zone"], $0["digest"]) }, uniquingKeysWith: { $1 })
        }
    }

    /// Records that all meetings in a time zone have moments computed by the rules with this
    /// digest.
    public func saveZoneDigest(_ digest: String, of zone: String) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    INSERT INTO zone_rules (zone, digest) VALUES (:zone, :digest)
                    ON CONFLICT (zone) DO UPDATE SET digest = :digest
                    """
            ).execute(arguments: ["zone": zone, "digest": digest])
        }
    }

    /// The times of meetings in a time zone that end after a moment, ordered by their end: the page
    /// that follows `last`.
    public func meetingMoments(
        inZone zone: String, endingAfter now: Moment, after last: MeetingMoments?, limit: Int
    ) async throws -> [MeetingMoments] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT id, start_wall, zone, duration, starts_at,
                            coalesce(first_ends_at, ends_at) AS ends_at, ends_at AS last_ends_at,
                            repetition
                        FROM meeting
                        WHERE zone = :zone AND (ends_at, id) > (:end, :last)
                        ORDER BY meeting.ends_at, meeting.id LIMIT :limit
                        """),
                arguments: [
                    "zone": zone, "end": (last?.endsAt ?? now).milliseconds,
                    "last": last?.id.text ?? "~", "limit": limit,
                ]
            ).map { row in
                MeetingMoments(
                    id: MeetingID(text: row["id"]), time: try MeetingTime(row: row),
                    endsAt: Moment(milliseconds: row["last_ends_at"]),
                    isSeries: (row["repetition"] as String?) != nil)
            }
        }
    }

    /// Recomputes the moments of meetings by the current rules of their time zone, in one
    /// transaction.
    ///
    /// - Parameters:
    ///   - ids: the meetings.
    ///   - now: the current time.
    ///   - decide: plans a meeting by the new rules.
    /// - Returns: the meetings that moved.
    /// - Throws: ``StoreError``, or an error that `decide` throws; nothing has changed then.
    public func moveMeetings(
        _ ids: [MeetingID], now: Moment,
        decide: @escaping @Sendable (MeetingBundle) throws -> MeetingRevision
    ) async throws -> [MovedMeeting] {
        try await write { db in
            try ids.compactMap { id in
                guard let bundle = try MeetingBundle.fetch(id, in: db) else { return nil }
                let revision = try decide(bundle)
                let old = bundle.meeting.time
                let new = revision.meeting.time
                // In a series, occurrences other than the first may have moved.
                guard revision.meeting != bundle.meeting || !revision.difference.isEmpty else {
                    return nil
                }
                try revision.meeting.update(in: db)
                try Snooze.follow(from: old.startsAt, to: new.startsAt, in: id, db)
                try revision.save(in: db)
                guard new != old else { return nil }
                let moved = MovedMeeting(
                    id: id, zone: new.zone, at: now, startedAt: old.startsAt,
                    startsAt: new.startsAt)
                try moved.save(endsAt: new.endsAt, in: db)
                return moved
            }
        }
    }

    /// The coming meetings that moved because the rules of their time zone changed, latest change
    /// first.
    public func movedMeetings(endingAfter now: Moment, limit: Int) async throws -> [MovedMeeting] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT meeting_id, zone, at, started_at, starts_at FROM zone_move
                        WHERE ends_at > :now ORDER BY at DESC, meeting_id LIMIT :limit
                        """), arguments: ["now": now.milliseconds, "limit": limit]
            ).map { row in
                MovedMeeting(
                    id: MeetingID(text: row["meeting_id"]), zone: row["zone"],
                    at: Moment(milliseconds: row["at"]),
                    startedAt: Moment(milliseconds: row["started_at"]),
                    startsAt: Moment(milliseconds: row["starts_at"]))
            }
        }
    }
}

extension MovedMeeting {
    /// Saves the last move of a meeting.
    fileprivate func save(endsAt: Moment, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO zone_move (meeting_id, at, zone, started_at, starts_at, ends_at)
                VALUES (:meeting, :at, :zone, :old, :new, :end)
                ON CONFLICT (meeting_id) DO UPDATE SET at = :at, zone = :zone,
                    started_at = :old, starts_at = :new, ends_at = :end
                """
        ).execute(arguments: [
            "meeting": id.text, "at": at.milliseconds, "zone": zone,
            "old": startedAt.milliseconds, "new": startsAt.milliseconds,
            "end": endsAt.milliseconds,
        ])
    }
}

extension Snooze {
    /// Moves snoozed reminders along with the start of a meeting, if they are still due before the
    /// new start.
    static func follow(
        from old: Moment, to new: Moment, in meeting: MeetingID, _ db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                UPDATE snooze SET starts_at = :new
                WHERE meeting_id = :meeting AND occurrence = '' AND starts_at = :old
                    AND due < :new
                """
        ).execute(arguments: [
            "meeting": meeting.text, "old": old.milliseconds, "new": new.milliseconds,
        ])
    }
}
