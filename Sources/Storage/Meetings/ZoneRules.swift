public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// When a meeting is, without the rest of it.
public struct MeetingMoments: Sendable {
    /// The meeting.
    public let id: MeetingID
    /// When; of a series, its first date.
    public let time: MeetingTime
    /// When all of it is over.
    public let endsAt: Moment
    /// Whether it repeats: then other dates may move than the first.
    public let isSeries: Bool
}

/// A meeting whose moments moved because the rules of its zone changed: its time on the wall is
/// what it was.
public struct MovedMeeting: Equatable, Sendable {
    /// The meeting.
    public let id: MeetingID
    /// The zone whose rules changed.
    public let zone: String
    /// When it was noticed.
    public let at: Moment
    /// When it would have started by the old rules.
    public let startedAt: Moment
    /// When it starts.
    public let startsAt: Moment
}

extension Store {
    /// The most zones that are looked at: there are some six hundred names.
    private static let zonesMax = 2000

    /// The zones in which meetings were planned that end after a moment.
    public func zonesInUse(endingAfter now: Moment) async throws -> [String] {
        try await read { db in
            var zones: [String] = []
            var last = ""
            // One look at the index for each zone, however many meetings it has.
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

    /// By which rules the moments of coming meetings were fixed: a digest for each zone.
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

    /// All moments of a zone's meetings are those of these rules now.
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

    /// When the meetings of a zone are that end after a moment, in the order of their ends: a page
    /// of what follows `last`.
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

    /// Gives meetings the moments that the rules of their zone give them now, in one transaction.
    ///
    /// - Parameters:
    ///   - ids: the meetings.
    ///   - now: the clock.
    ///   - decide: plans a meeting by the new rules.
    /// - Returns: those that moved.
    /// - Throws: ``StoreError``, or what `decide` throws; nothing has changed then.
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
                // Of a series, other dates may move than the first.
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

    /// The coming meetings that moved with the rules of their zone, the latest first.
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
    /// Each meeting is kept with its last move.
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
    /// What people asked for before a start holds for the start that it has become, as far as it
    /// still comes before it.
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
