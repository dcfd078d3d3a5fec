public import Agenda
import Foundation
import GRDB
public import Ledger
public import Timekeeping

/// The id of a busy calendar.
public typealias BusyCalendarID = Identifier<BusyCalendarRecord>

/// A calendar that shows when a person is busy, with its content at the last successful read.
public struct BusyCalendarRecord: Sendable {
    /// The source of the calendar.
    public enum Origin: Equatable, Sendable {
        /// A web address that is polled regularly. Do not log it: anyone who knows it can read the
        /// calendar.
        case url(String)
        /// A file with this name, which was read once.
        case file(String)
    }

    /// The id.
    public let id: BusyCalendarID
    /// The person who added it.
    public let owner: PersonID
    /// The person whose busy times it shows.
    public let person: PersonID
    /// The source of the calendar.
    public let origin: Origin
    /// The ETag that its server sent for this version; empty if there was none.
    public var entityTag = ""
    /// The Last-Modified value that its server sent, unparsed; empty if there was none.
    public var lastModified = ""
    /// The busy times as calendar text.
    public var times = ""
    /// The times when the person is busy.
    public var busy = BusyTimes.never
    /// The moment up to which recurring busy times were expanded.
    public var laidOutUntil: Moment
    /// The time of the last successful read.
    public var readAt: Moment
    /// The time of the last attempt to read it.
    public var triedAt: Moment
    /// The reason why the last attempt failed; empty if it succeeded.
    public var failure = ""
    /// The kinds of data that could not be read in it, in sentences.
    public var remarks: [String] = []

    /// Creates the record of a calendar that is read for the first time.
    public init(
        id: BusyCalendarID, owner: PersonID, person: PersonID, origin: Origin, now: Moment
    ) {
        self.id = id
        self.owner = owner
        self.person = person
        self.origin = origin
        (laidOutUntil, readAt, triedAt) = (now, now, now)
    }
}

/// The last attempt to read a busy calendar.
public struct BusyCalendarAttempt: Sendable {
    /// The id of the calendar.
    public let id: BusyCalendarID
    /// The time of the last successful read.
    public let readAt: Moment
    /// The time of the attempt.
    public let triedAt: Moment
    /// The reason why it failed; empty if it succeeded.
    public let failure: String
    /// The moment up to which recurring busy times were expanded.
    public let laidOutUntil: Moment
}

extension BusyCalendarRecord {
    /// The last attempt to read the calendar.
    public var attempt: BusyCalendarAttempt {
        BusyCalendarAttempt(
            id: id, readAt: readAt, triedAt: triedAt, failure: failure, laidOutUntil: laidOutUntil)
    }
}

extension Store {
    /// Saves a calendar that was just read, as a new one or replacing its earlier content.
    public func save(_ calendar: BusyCalendarRecord) async throws {
        try await write { db in try calendar.save(in: db) }
    }

    /// Updates a calendar that was read again, unless it was removed in the meantime.
    ///
    /// - Parameters:
    ///   - calendar: the new content.
    ///   - isSame: true if the busy times have not changed; then they are not written again.
    /// - Throws: ``StoreError``.
    public func update(_ calendar: BusyCalendarRecord, isSame: Bool) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    UPDATE busy_calendar SET read_at = :read, tried_at = :tried, failure = :failure
                    WHERE id = :id
                    """
            ).execute(arguments: [
                "read": calendar.readAt.milliseconds, "tried": calendar.triedAt.milliseconds,
                "failure": calendar.failure, "id": calendar.id.text,
            ])
            guard !isSame else { return }
            try db.cachedStatement(
                sql: """
                    UPDATE busy_calendar SET etag = :etag, last_modified = :modified,
                        times = :times, spans = :spans, laid_out_until = :until,
                        remarks = :remarks
                    WHERE id = :id
                    """
            ).execute(arguments: [
                "etag": calendar.entityTag, "modified": calendar.lastModified,
                "times": calendar.times, "spans": calendar.busy.octets,
                "until": calendar.laidOutUntil.milliseconds,
                "remarks": calendar.remarksText, "id": calendar.id.text,
            ])
        }
    }

    /// The UIDs among `uids` that belong to meetings of this installation in which a person takes
    /// part.
    public func meetingUIDs(
        among uids: [String], of person: PersonID
    ) async throws -> Set<String> {
        try await read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT m.uid FROM meeting m
                    JOIN participant p ON p.meeting_id = m.id AND p.person_id = :person
                    WHERE m.uid = :uid LIMIT 1
                    """)
            return Set(
                try uids.compactMap {
                    try String.fetchOne(statement, arguments: ["uid": $0, "person": person.text])
                })
        }
    }

    /// The mail addresses of a person.
    public func addresses(of person: PersonID) async throws -> [String] {
        try await read { db in
            try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT address FROM person_address WHERE person_id = :person
                        ORDER BY position, folded
                        """), arguments: ["person": person.text])
        }
    }

    /// The calendars that a person added, or that show when they are busy.
    ///
    /// - Parameters:
    ///   - person: the person; `nil` for all calendars.
    ///   - limit: the maximum number to return.
    /// - Returns: the calendars, without their calendar text.
    /// - Throws: ``StoreError``.
    public func busyCalendars(
        of person: PersonID?, limit: Int
    ) async throws -> [BusyCalendarRecord] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT \(BusyCalendarRecord.columns), '' AS times FROM busy_calendar
                        WHERE :person = '' OR owner_id = :person OR person_id = :person
                        ORDER BY id LIMIT :limit
                        """), arguments: ["person": person?.text ?? "", "limit": limit]
            ).map(BusyCalendarRecord.init(row:))
        }
    }

    /// A calendar with its calendar text; `nil` if it no longer exists.
    public func busyCalendar(_ id: BusyCalendarID) async throws -> BusyCalendarRecord? {
        try await read { db in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT \(BusyCalendarRecord.columns), times FROM busy_calendar
                        WHERE id = :id
                        """), arguments: ["id": id.text]
            ).map(BusyCalendarRecord.init(row:))
        }
    }

    /// The calendars that must be read again or expanded further.
    ///
    /// - Parameters:
    ///   - moment: includes calendars from the web that were last tried before this moment.
    ///   - horizon: includes calendars that are expanded to a moment before this one.
    ///   - limit: the maximum number to return.
    /// - Returns: the last attempts to read them, the oldest first.
    /// - Throws: ``StoreError``.
    public func busyCalendars(
        triedBefore moment: Moment, laidOutBefore horizon: Moment, limit: Int
    ) async throws -> [BusyCalendarAttempt] {
        try await read { db in
            try Row.read(
                db.cachedStatement(
                    sql: """
                        SELECT id, read_at, tried_at, failure, laid_out_until FROM busy_calendar
                        WHERE url <> '' AND tried_at < :moment OR laid_out_until < :horizon
                        ORDER BY tried_at, id LIMIT :limit
                        """),
                arguments: [
                    "moment": moment.milliseconds, "horizon": horizon.milliseconds,
                    "limit": limit,
                ]
            ) { row in
                BusyCalendarAttempt(
                    id: BusyCalendarID(text: row["id"]),
                    readAt: Moment(milliseconds: row["read_at"]),
                    triedAt: Moment(milliseconds: row["tried_at"]), failure: row["failure"],
                    laidOutUntil: Moment(milliseconds: row["laid_out_until"]))
            }
        }
    }

    /// Deletes calendars.
    public func removeBusyCalendars(_ ids: [BusyCalendarID]) async throws {
        try await write { db in
            for id in ids {
                try db.execute(
                    sql: "DELETE FROM busy_calendar WHERE id = :id", arguments: ["id": id.text])
            }
        }
    }
}

extension BusyCalendarRecord {
    static let columns = """
        id, owner_id, person_id, url, file, etag, last_modified, spans, laid_out_until, read_at,
        tried_at, failure, remarks
        """

    init(row: Row) throws {
        let url: String = row["url"]
        self.init(
            id: BusyCalendarID(text: row["id"]), owner: PersonID(text: row["owner_id"]),
            person: PersonID(text: row["person_id"]),
            origin: url.isEmpty ? .file(row["file"]) : .url(url),
            now: Moment(milliseconds: row["read_at"]))
        entityTag = row["etag"]
        lastModified = row["last_modified"]
        times = row["times"]
        busy = try BusyTimes(octets: row["spans"])
        laidOutUntil = Moment(milliseconds: row["laid_out_until"])
        triedAt = Moment(milliseconds: row["tried_at"])
        failure = row["failure"]
        remarks = (row["remarks"] as String).split(separator: "\n").map(String.init)
    }

    fileprivate var remarksText: String { remarks.joined(separator: "\n") }

    fileprivate func save(in db: Database) throws {
        var (url, file) = ("", "")
        switch origin {
        case .url(let address): url = address
        case .file(let name): file = name
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO busy_calendar (
                    id, owner_id, person_id, url, file, etag, last_modified, times, spans,
                    laid_out_until, read_at, tried_at, failure, remarks)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET
                    etag = excluded.etag, last_modified = excluded.last_modified,
                    times = excluded.times, spans = excluded.spans,
                    laid_out_until = excluded.laid_out_until, read_at = excluded.read_at,
                    tried_at = excluded.tried_at, failure = excluded.failure,
                    remarks = excluded.remarks
                """
        ).execute(arguments: [
            id.text, owner.text, person.text, url, file, entityTag, lastModified, times,
            busy.octets, laidOutUntil.milliseconds, readAt.milliseconds, triedAt.milliseconds,
            failure, remarksText,
        ])
    }
}

extension BusyTimes {
    /// The size of one number, in bytes.
    private static let width = MemoryLayout<Int64>.size

    /// The number of firm spans, followed by the starts and ends of all spans, firm ones first;
    /// each number takes eight bytes in little-endian order.
    fileprivate var octets: Data {
        let ends = (firm + tentative).flatMap {
            [$0.lowerBound.milliseconds, $0.upperBound.milliseconds]
        }
        return ([Int64(firm.count)] + ends).reduce(into: Data()) { octets, number in
            withUnsafeBytes(of: number.littleEndian) { octets.append(contentsOf: $0) }
        }
    }

    fileprivate init(octets: Data) throws {
        let numbers = octets.withUnsafeBytes { bytes in
            (0..<bytes.count / Self.width).map {
                Int64(
                    littleEndian: bytes.loadUnaligned(
                        fromByteOffset: $0 * Self.width, as: Int64.self))
            }
        }
        guard let firmCount = numbers.first, numbers.count % 2 == 1,
            (0...Int64(numbers.count / 2)).contains(firmCount)
        else { throw UnreadableValue.form }
        let spans = try stride(from: 1, to: numbers.count, by: 2).map { place in
            guard numbers[place] <= numbers[place + 1] else { throw UnreadableValue.form }
            return Moment(milliseconds: numbers[place])..<Moment(milliseconds: numbers[place + 1])
        }
        self.init(
            firm: Array(spans.prefix(Int(firmCount))),
            tentative: Array(spans.dropFirst(Int(firmCount))))
    }
}
