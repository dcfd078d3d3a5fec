public import Agenda
import GRDB
public import Interchange
public import Ledger
public import Timekeeping

/// The name of a calendar object.
public struct CalendarObjectName: Hashable, Sendable {
    /// The kind of the component in capitals, such as `VEVENT`.
    public let kind: String
    /// The UID, which never changes.
    public let uid: String

    /// Creates a name.
    public init(kind: String, uid: String) {
        self.kind = kind
        self.uid = uid
    }
}

/// The stored data about a calendar object.
public struct CalendarObjectState: Sendable {
    /// The text of its last import; `nil` if it was never imported.
    public let text: String?
    /// Whether it makes its owner busy; true if nothing is stored.
    public let takesTime: Bool
    /// Other display properties; empty if nothing is stored.
    public let nature: EventNature
    /// The meeting with this UID that the owner organizes or is invited to.
    public let bundle: MeetingBundle?
    /// True if a meeting with this UID exists, whether or not it concerns the owner.
    public let isTaken: Bool
    /// The notification preferences of the owner, who organizes the imported meetings.
    public let wishes: PersonalWishes
}

/// The stored form of a calendar object.
public struct CalendarObjectText: Sendable {
    /// A calendar text with only this object.
    public let text: String
    /// Whether it makes its owner busy.
    public let takesTime: Bool
    /// Other display properties.
    public let nature: EventNature

    /// Creates the stored form of an object.
    ///
    /// - Parameters:
    ///   - object: all that is known of it.
    ///   - shown: what it says at present.
    public init(_ object: CalendarObject, shown: CalendarObject) {
        text = object.text
        takesTime = shown.takesTime
        nature = shown.nature
    }
}

/// The change that an import makes for one calendar object.
public enum CalendarObjectChange: Sendable {
    /// No change.
    case none
    /// The object is stored, but no meeting is created.
    case kept(CalendarObjectText)
    /// The object is stored, and a meeting is created from it.
    case made(MeetingRevision, CalendarObjectText)
    /// The object is stored, and its meeting is updated to match.
    case revised(MeetingRevision, CalendarObjectText)
}

extension Store {
    /// Imports calendar objects: calls `decide` for each and saves its result, all in one
    /// transaction.
    ///
    /// - Parameters:
    ///   - names: the objects.
    ///   - owner: the person who imports them.
    ///   - now: the current time.
    ///   - decide: called for each object with its index in `names`.
    /// - Throws: ``StoreError``, and any error that `decide` throws; nothing is saved then.
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

    /// The number of imported calendar objects of a person, and of the characters of their texts.
    public func calendarSize(of owner: PersonID) async throws -> (count: Int, characters: Int) {
        try await read { db in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT count(*) AS number, coalesce(sum(length(text)), 0) AS characters
                        FROM calendar_object WHERE owner_id = :owner
                        """),
                arguments: ["owner": owner.text])
            return (row?["number"] ?? 0, row?["characters"] ?? 0)
        }
    }

    /// The names of all imported calendar objects of a person, ordered.
    public func calendarNames(of owner: PersonID) async throws -> [CalendarObjectName] {
        try await read { db in
            try Row.read(
                db.cachedStatement(
                    sql: """
                        SELECT kind, uid FROM calendar_object WHERE owner_id = :owner
                        ORDER BY kind, uid
                        """), arguments: ["owner": owner.text]
            ) { CalendarObjectName(kind: $0["kind"], uid: $0["uid"]) }
        }
    }

    /// The imported calendar objects that have no meeting, ordered by name.
    ///
    /// - Parameters:
    ///   - owner: the person who imported them.
    ///   - name: returns only objects after this name.
    ///   - limit: the maximum number to return.
    /// - Returns: the names with their texts.
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

    /// The UIDs of imported events that continue another event from some date on.
    ///
    /// - Parameter owner: the person who imported them.
    /// - Returns: the UIDs, at most 10,000.
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

    /// The texts of imported events.
    ///
    /// - Parameters:
    ///   - uids: the UIDs of the events.
    ///   - owner: the person who imported them.
    /// - Returns: the texts, without those of unknown events.
    /// - Throws: ``StoreError``.
    public func calendarTexts(
        of uids: [String], readBy owner: PersonID
    ) async throws -> [String] {
        guard !uids.isEmpty else { return [] }
        return try await read { db in
            try uids.compactMap { uid in
                try String.fetchOne(
                    db.cachedStatement(
                        sql: """
                            SELECT text FROM calendar_object
                            WHERE owner_id = :owner AND kind = 'VEVENT' AND uid = :uid
                            """), arguments: ["owner": owner.text, "uid": uid])
            }
        }
    }

    /// The meetings that were imported from events.
    ///
    /// - Parameters:
    ///   - uids: the UIDs of the events.
    ///   - owner: the person who imported them.
    /// - Returns: the UIDs and texts of the events that have a meeting, with the meetings.
    /// - Throws: ``StoreError``.
    public func importedMeetings(
        of uids: [String], readBy owner: PersonID
    ) async throws -> [(uid: String, text: String, bundle: MeetingBundle)] {
        guard !uids.isEmpty else { return [] }
        return try await read { db in
            try uids.compactMap { uid -> (uid: String, text: String, bundle: MeetingBundle)? in
                let row = try Row.fetchOne(
                    db.cachedStatement(
                        sql: """
                            SELECT text, meeting_id FROM calendar_object
                            WHERE owner_id = :owner AND kind = 'VEVENT' AND uid = :uid
                                AND meeting_id IS NOT NULL
                            """), arguments: ["owner": owner.text, "uid": uid])
                guard let row, let id = row["meeting_id"] as String?,
                    let bundle = try MeetingBundle.fetch(MeetingID(text: id), in: db)
                else { return nil }
                return (uid: uid, text: row["text"], bundle: bundle)
            }
        }
    }

    /// The calendar text from which a person imported a meeting; `nil` if they did not import it.
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

    /// The meetings that a person organizes or is invited to, with any status, ordered by start.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - last: returns only meetings after this start and id.
    ///   - limit: the maximum number to return.
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
                                WHERE a.meeting_id = m.id AND a.person_id = :person
                                    AND a.is_removed = 0))
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
    /// The meeting that was created from the object for this owner, or else a meeting with this UID
    /// that they organize or are invited to; `nil` if there is none.
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
