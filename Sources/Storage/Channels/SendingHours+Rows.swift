public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// The place where the sending hours of a person are set.
public enum HoursOrigin: String, Sendable {
    /// The person's own.
    case person
    /// Quiet hours of their circles.
    case circle
    /// The quiet hours of the installation.
    case installation
}

extension SendingHours {
    /// True if anybody may have sending hours.
    static func areSet(in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM sending_hours WHERE person_id > '')
                        OR EXISTS (SELECT 1 FROM circle_hours WHERE circle_id > '')
                        OR EXISTS (
                            SELECT 1 FROM installation WHERE id = 1 AND quiet <> '[]')
                    """)) ?? false
    }

    static func fetchWithOrigin(
        _ person: PersonID, in db: Database
    ) throws -> (hours: SendingHours, origin: HoursOrigin)? {
        if let own = try fetchOwn(person, in: db) { return (own, .person) }
        return try fetchInherited(person, in: db)
    }

    static func fetchInherited(
        _ person: PersonID, in db: Database
    ) throws -> (hours: SendingHours, origin: HoursOrigin)? {
        if let shared = try ofCircles(with: person, in: db) { return (shared, .circle) }
        let standard = try ofInstallation(in: db)
        return standard.isAlways ? nil : (standard, .installation)
    }

    /// The sending hours that a person chose; `nil` if they chose none.
    static func fetchOwn(_ person: PersonID, in db: Database) throws -> SendingHours? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT quiet, windows FROM sending_hours WHERE person_id = :id"),
            arguments: ["id": person.text]
        ).map(Self.init(row:))
    }

    fileprivate init(row: Row) throws {
        self = try StoredValue.read(row) { row in
            try SendingHours(
                quiet: WeekSpans.decode(row["quiet"]), windows: WeekSpans.decode(row["windows"]))
        }
    }

    /// The quiet hours of all circles of a person together; those of the first circle if they leave
    /// no time.
    private static func ofCircles(
        with person: PersonID, in db: Database
    ) throws -> SendingHours? {
        let all = try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT h.quiet FROM circle_member m
                    JOIN circle_hours h ON h.circle_id = m.circle_id
                    WHERE m.person_id = :person ORDER BY h.circle_id LIMIT :limit
                    """), arguments: ["person": person.text, "limit": spansMax]
        ).map(WeekSpans.decode)
        guard let first = all.first else { return nil }
        return try (try? SendingHours(quiet: all.flatMap { $0 })) ?? SendingHours(quiet: first)
    }

    static func ofInstallation(in db: Database) throws -> SendingHours {
        let text = try String.fetchOne(
            db.cachedStatement(sql: "SELECT quiet FROM installation WHERE id = 1"))
        return try SendingHours(quiet: text.map(WeekSpans.decode) ?? [])
    }

    static func of(_ circle: CircleID, in db: Database) throws -> SendingHours? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT quiet FROM circle_hours WHERE circle_id = :id"),
            arguments: ["id": circle.text]
        ).map { try SendingHours(quiet: WeekSpans.decode($0)) }
    }
}

extension Store {
    /// The hours in which a person may be notified, and whose choice they are.
    ///
    /// - Returns: `nil` if neither they nor their circles nor the installation have any.
    /// - Throws: ``StoreError``.
    public func sendingHours(
        of person: PersonID
    ) async throws -> (hours: SendingHours, origin: HoursOrigin)? {
        try await read { db in try SendingHours.fetchWithOrigin(person, in: db) }
    }

    /// The hours that a person has if they choose none of their own.
    ///
    /// - Returns: as ``sendingHours(of:)``.
    /// - Throws: ``StoreError``.
    public func inheritedHours(
        of person: PersonID
    ) async throws -> (hours: SendingHours, origin: HoursOrigin)? {
        try await read { db in try SendingHours.fetchInherited(person, in: db) }
    }

    /// The quiet hours of people who have none of their own, nor by a circle.
    public func installationHours() async throws -> SendingHours {
        try await read { db in try SendingHours.ofInstallation(in: db) }
    }

    /// Saves the quiet hours of people who have none of their own, nor by a circle.
    ///
    /// - Parameter hours: the hours, without send windows.
    /// - Throws: ``StoreError``.
    public func saveInstallationHours(_ hours: SendingHours) async throws {
        try await write { db in
            try db.cachedStatement(sql: "UPDATE installation SET quiet = :quiet WHERE id = 1")
                .execute(arguments: ["quiet": WeekSpans.encode(hours.quiet)])
        }
    }

    /// The quiet hours of a circle; `nil` if it has none.
    public func circleHours(_ circle: CircleID) async throws -> SendingHours? {
        try await read { db in try SendingHours.of(circle, in: db) }
    }

    /// Changes the quiet hours of a circle, and replans the coming meetings of its members.
    ///
    /// - Parameters:
    ///   - hours: the hours, without send windows.
    ///   - circle: the circle.
    ///   - now: the current time.
    ///   - saving: `false` for a preview, which saves nothing.
    ///   - replanning: plans a meeting.
    /// - Returns: the replanned meetings.
    /// - Throws: ``StoreError``; nothing has changed then.
    public func setHours(
        _ hours: SendingHours, of circle: CircleID, now: Moment, saving: Bool,
        replanning: @escaping Replanning
    ) async throws -> [MeetingRevision] {
        try await write { db in
            var revisions: [MeetingRevision] = []
            try db.inSavepoint {
                try db.execute(
                    sql: "DELETE FROM circle_hours WHERE circle_id = :id",
                    arguments: ["id": circle.text])
                if !hours.isAlways {
                    try db.execute(
                        sql: "INSERT INTO circle_hours (circle_id, quiet) VALUES (:id, :quiet)",
                        arguments: [
                            "id": circle.text, "quiet": WeekSpans.encode(hours.quiet),
                        ])
                }
                revisions = try MeetingBundle.replan(
                    circle.comingMeetings(now, in: db), by: replanning, in: db)
                return saving ? .commit : .rollback
            }
            return revisions
        }
    }
}

extension CircleID {
    /// The coming meetings of the circle's members.
    func comingMeetings(_ now: Moment, in db: Database) throws -> [MeetingID] {
        try MeetingID.coming(ofAny: Array(everybody(in: db)), now: now, in: db)
    }

    /// Changes the members of the circle. If it has quiet hours, replans the coming meetings of
    /// those whose hours are others now.
    ///
    /// - Parameters:
    ///   - people: the people who join or leave.
    ///   - now: the current time.
    ///   - db: the database.
    ///   - replanning: plans a meeting.
    ///   - change: changes the members.
    /// - Throws: database errors, and what `change` throws.
    func replanning(
        _ people: [PersonID], now: Moment, in db: Database, by replanning: @escaping Replanning,
        after change: () throws -> Void
    ) throws {
        try change()
        guard try SendingHours.of(self, in: db) != nil else { return }
        let meetings = try MeetingID.coming(ofAny: people, now: now, in: db)
        _ = try MeetingBundle.replanEach(meetings, by: replanning, in: db)
    }
}

/// The hours in which messages to a person may be sent, and the time zone in which they are meant.
struct ReaderHours {
    let hours: SendingHours
    /// The time zone of the account whose hours they are; `nil` for that of the person.
    var zone: String?

    /// The hours for a person: those that they chose, or else those that the holder of the account
    /// chose to whose proven address their mail goes, or else those of their circles or of the
    /// installation. Several people may have one address, because an address book may name a person
    /// whom its owner does not know otherwise; the reader is one.
    ///
    /// - Returns: the hours; `nil` if nobody set any.
    static func fetch(_ person: PersonID, in db: Database) throws -> ReaderHours? {
        if let own = try SendingHours.fetchOwn(person, in: db) { return ReaderHours(hours: own) }
        if let account = try ofAccount(readingMailTo: person, in: db) { return account }
        return try SendingHours.fetchInherited(person, in: db).map { ReaderHours(hours: $0.hours) }
    }

    private static func ofAccount(
        readingMailTo person: PersonID, in db: Database
    ) throws -> ReaderHours? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT h.quiet, h.windows, p.zone FROM person_address f
                    JOIN person_address v ON v.folded = f.folded AND v.is_verified = 1
                    JOIN account a ON a.person_id = v.person_id
                    JOIN sending_hours h ON h.person_id = v.person_id
                    JOIN person p ON p.id = v.person_id
                    WHERE f.person_id = :id AND v.person_id <> f.person_id
                        AND \(PersonAddresses.isForMail("f"))
                    """), arguments: ["id": person.text]
        ).map { row in ReaderHours(hours: try SendingHours(row: row), zone: row["zone"]) }
    }
}

extension PersonID {
    /// The other people whose mail goes to a proven address of this one.
    func mailSharers(in db: Database) throws -> [PersonID] {
        try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT f.person_id FROM person_address v
                    JOIN person_address f ON f.folded = v.folded
                    WHERE v.person_id = :id AND v.is_verified = 1 AND f.person_id <> v.person_id
                        AND \(PersonAddresses.isForMail("f"))
                    ORDER BY f.person_id
                    """), arguments: ["id": text]
        ).map { PersonID(text: $0) }
    }
}

/// Parts of a week, stored as JSON arrays of texts that need no escapes.
enum WeekSpans {
    static func encode(_ spans: [WeekSpan]) -> String {
        "[\(spans.map { "\"\($0)\"" }.joined(separator: ","))]"
    }

    static func decode(_ text: String) throws -> [WeekSpan] {
        try StoredValue.readList(text) { try WeekSpan.parse($0) }
    }
}
