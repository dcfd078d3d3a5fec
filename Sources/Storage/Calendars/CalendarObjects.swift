public import Agenda
import GRDB
public import Interchange
public import Ledger
public import Timekeeping

/// Names something that a calendar holds.
public struct CalendarObjectName: Hashable, Sendable {
    /// In capitals: `VEVENT`.
    public let kind: String
    /// Its name for ever.
    public let uid: String

    /// Names it.
    public init(kind: String, uid: String) {
        self.kind = kind
        self.uid = uid
    }
}

/// What is here already of something that a calendar holds.
public struct CalendarObjectState: Sendable {
    /// How it was read before; `nil` where it was not.
    public let text: String?
    /// Whether it takes its owner's time, as far as that is known.
    public let takesTime: Bool
    /// What calendars show of it besides, as far as that is known.
    public let nature: EventNature
    /// The meeting of that name: the owner's own, or one that they are asked to.
    public let bundle: MeetingBundle?
    /// Whether a meeting has the name that is nothing to the owner.
    public let isTaken: Bool
    /// How its organizer wants to be told things.
    public let wishes: PersonalWishes
}

/// How a thing that a calendar holds is kept.
public struct CalendarObjectText: Sendable {
    /// The calendar with it alone.
    public let text: String
    /// Whether it takes its owner's time.
    public let takesTime: Bool
    /// What calendars show of it besides.
    public let nature: EventNature

    /// Keeps a thing as it is.
    public init(_ object: CalendarObject) {
        text = object.text
        takesTime = object.takesTime
        nature = object.nature
    }
}

/// What becomes of something that a calendar holds.
public enum CalendarObjectChange: Sendable {
    /// Nothing.
    case none
    /// It is kept, and no meeting made of it.
    case kept(CalendarObjectText)
    /// It is kept, and a meeting made of it.
    case made(MeetingRevision, CalendarObjectText)
    /// It is kept, and the meeting of its name is as it says now.
    case revised(MeetingRevision, CalendarObjectText)
}

extension Store {
    /// Lets `decide` say what becomes of things that a calendar holds, and saves that, all in one
    /// transaction.
    ///
    /// - Parameters:
    ///   - names: the things.
    ///   - owner: whose they are.
    ///   - now: the clock.
    ///   - decide: called for each with its place among the names.
    /// - Throws: ``StoreError``, and what `decide` throws; nothing is saved then.
    public func importCalendarObjects(
        _ names: [CalendarObjectName], owner: PersonID, now: Moment,
        decide: @escaping @Sendable (Int, CalendarObjectState) throws -> CalendarObjectChange
    ) async throws {
        try await write { db in
            let wishes = try PersonalWishes.fetch([owner], circles: [], in: db)
            for (place, name) in names.enumerated() {
                let row = try Row.fetchOne(
                    db.cachedStatement(
                        sql: """
                            SELECT text, takes_time, nature FROM calendar_object
                            WHERE owner_id = :owner AND kind = :kind AND uid = :uid
                            """),
                    arguments: ["owner": owner.text, "kind": name.kind, "uid": name.uid])
                let state = CalendarObjectState(
                    text: row?["text"], takesTime: row?["takes_time"] ?? true,
                    nature: EventNature(rawValue: row?["nature"] ?? 0),
                    bundle: try name.bundle(of: owner, in: db),
                    isTaken: try name.isTaken(in: db), wishes: wishes)
                try decide(place, state).save(
                    name, owner: owner, besides: state.bundle, now: now, in: db)
            }
        }
    }

    /// What was read from calendar files of which there is no meeting, in the order of its names.
    ///
    /// - Parameters:
    ///   - owner: whose it is.
    ///   - name: only what comes after this.
    ///   - limit: the most to return.
    /// - Returns: each with its text.
    /// - Throws: ``StoreError``.
    public func keptCalendarObjects(
        of owner: PersonID, after name: CalendarObjectName, limit: Int
    ) async throws -> [(name: CalendarObjectName, text: String)] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT kind, uid, text FROM calendar_object
                        WHERE owner_id = :owner AND meeting_id IS NULL
                            AND (kind, uid) > (:kind, :uid)
                        ORDER BY kind, uid LIMIT :limit
                        """),
                arguments: [
                    "owner": owner.text, "kind": name.kind, "uid": name.uid, "limit": limit,
                ]
            ).map { (CalendarObjectName(kind: $0["kind"], uid: $0["uid"]), $0["text"]) }
        }
    }

    /// The names of what was read from calendar files that goes on from a date of something else.
    ///
    /// - Parameter owner: whose it is.
    /// - Returns: the names, at most 10,000.
    /// - Throws: ``StoreError``.
    public func calendarContinuations(of owner: PersonID) async throws -> [String] {
        try await read { db in
            try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT uid FROM calendar_object
                        WHERE owner_id = :owner AND kind = 'VEVENT' AND uid LIKE '%+from=%'
                        ORDER BY uid LIMIT 10000
                        """), arguments: ["owner": owner.text])
        }
    }

    /// How a meeting stands in the calendar file from which somebody read it; `nil` for one that
    /// they did not read.
    public func calendarText(
        of meeting: MeetingID, readBy owner: PersonID
    ) async throws -> String? {
        try await read { db in
            try String.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT text FROM calendar_object
                        WHERE meeting_id = :meeting AND owner_id = :owner
                        """), arguments: ["meeting": meeting.text, "owner": owner.text])
        }
    }

    /// The meetings that somebody plans or is asked to, whatever became of them, in the order of
    /// their starts.
    ///
    /// - Parameters:
    ///   - person: who.
    ///   - last: only those after this start and id.
    ///   - limit: the most to return.
    /// - Returns: their ids and starts.
    /// - Throws: ``StoreError``.
    public func meetings(
        of person: PersonID, after last: (startsAt: Moment, id: String), limit: Int
    ) async throws -> [(id: MeetingID, startsAt: Moment)] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT m.id, m.starts_at FROM meeting m
                        WHERE (m.starts_at, m.id) > (:start, :id)
                            AND (m.organizer_id = :person OR EXISTS (
                                SELECT 1 FROM answer a
                                WHERE a.meeting_id = m.id AND a.occurrence = ''
                                    AND a.person_id = :person AND a.is_removed = 0))
                        ORDER BY m.starts_at, m.id LIMIT :limit
                        """),
                arguments: [
                    "start": last.startsAt.milliseconds, "id": last.id, "person": person.text,
                    "limit": limit,
                ]
            ).map { (MeetingID(text: $0["id"]), Moment(milliseconds: $0["starts_at"])) }
        }
    }
}

extension CalendarObjectName {
    /// The meeting that was made of it for somebody, else one of that name that is theirs or that
    /// they are asked to; `nil` where there is none.
    fileprivate func bundle(of owner: PersonID, in db: Database) throws -> MeetingBundle? {
        guard kind == "VEVENT" else { return nil }
        let id = try String.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT coalesce((
                        SELECT o.meeting_id FROM calendar_object o
                        WHERE o.owner_id = :owner AND o.kind = :kind AND o.uid = :uid), (
                        SELECT m.id FROM meeting m
                        WHERE m.uid = :uid AND (m.organizer_id = :owner OR EXISTS (
                            SELECT 1 FROM answer a
                            WHERE a.meeting_id = m.id AND a.person_id = :owner))))
                    """), arguments: ["owner": owner.text, "kind": kind, "uid": uid])
        return try id.flatMap {
            try MeetingBundle.fetch(MeetingID(text: $0), joining: [], of: [], in: db)
        }
    }

    fileprivate func isTaken(in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM meeting WHERE uid = :uid)"),
            arguments: ["uid": uid]) ?? false
    }
}

extension CalendarObjectChange {
    fileprivate func save(
        _ name: CalendarObjectName, owner: PersonID, besides before: MeetingBundle?, now: Moment,
        in db: Database
    ) throws {
        switch self {
        case .none: return
        case .kept(let text): try keep(text, as: name, owner, meeting: nil, now: now, in: db)
        case .made(let revision, let text):
            try revision.meeting.insert(requestKey: nil, now: revision.now, in: db)
            try revision.save(besides: [], in: db)
            try keep(text, as: name, owner, meeting: revision.meeting.id, now: now, in: db)
        case .revised(let revision, let text):
            guard let before else { return }
            try revision.replace(before, in: db)
            try keep(text, as: name, owner, meeting: revision.meeting.id, now: now, in: db)
        }
    }

    private func keep(
        _ text: CalendarObjectText, as name: CalendarObjectName, _ owner: PersonID,
        meeting: MeetingID?, now: Moment, in db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO calendar_object
                    (owner_id, kind, uid, text, takes_time, nature, meeting_id, imported_at)
                VALUES (:owner, :kind, :uid, :text, :takes_time, :nature, :meeting, :now)
                ON CONFLICT (owner_id, kind, uid) DO UPDATE SET
                    text = excluded.text, takes_time = excluded.takes_time,
                    nature = excluded.nature, meeting_id = excluded.meeting_id,
                    imported_at = excluded.imported_at
                """
        ).execute(arguments: [
            "owner": owner.text, "kind": name.kind, "uid": name.uid, "text": text.text,
            "takes_time": text.takesTime, "nature": text.nature.rawValue,
            "meeting": meeting?.text, "now": now.milliseconds,
        ])
    }
}
