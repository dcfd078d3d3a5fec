public import Agenda
import Foundation
import GRDB
public import Ledger
public import Timekeeping

/// Names a calendar that says when somebody is busy.
public typealias BusyCalendarID = Identifier<BusyCalendarRecord>

/// A calendar that says when somebody is busy, as it was read last.
public struct BusyCalendarRecord: Sendable {
    /// Where it came from.
    public enum Origin: Equatable, Sendable {
        /// An address on the web, which is asked again and again. Do not log it: who knows it can
        /// read the calendar.
        case url(String)
        /// A file of this name, which was read once.
        case file(String)
    }

    /// The id.
    public let id: BusyCalendarID
    /// Who added it.
    public let owner: PersonID
    /// Who is busy.
    public let person: PersonID
    /// Where it came from.
    public let origin: Origin
    /// The name that its server gave to this version; empty where it gave none.
    public var entityTag = ""
    /// When its server last changed it, in the server's words; empty where it did not say.
    public var lastModified = ""
    /// The times that are in it, as a calendar.
    public var times = ""
    /// When its person is busy.
    public var busy = BusyTimes.never
    /// The times were laid out up to this.
    public var laidOutUntil: Moment
    /// When it was read last.
    public var readAt: Moment
    /// When reading it was last tried.
    public var triedAt: Moment
    /// Why it could not be read when that was last tried; empty where it could.
    public var failure = ""

    /// Describes one that is read for the first time.
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

extension Store {
    /// Keeps a calendar as it was read now: a new one, or in the place of how it was.
    public func save(_ calendar: BusyCalendarRecord) async throws {
        try await write { db in try calendar.save(in: db) }
    }

    /// Keeps how a calendar is now that was read again, unless it was removed meanwhile.
    ///
    /// - Parameters:
    ///   - calendar: how it is.
    ///   - isSame: whether its times are as they were: then they are not written again.
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
                        times = :times, spans = :spans, laid_out_until = :until
                    WHERE id = :id
                    """
            ).execute(arguments: [
                "etag": calendar.entityTag, "modified": calendar.lastModified,
                "times": calendar.times, "spans": calendar.busy.octets,
                "until": calendar.laidOutUntil.milliseconds, "id": calendar.id.text,
            ])
        }
    }

    /// Which of some UIDs are those of meetings here.
    public func meetingUIDs(among uids: [String]) async throws -> Set<String> {
        try await read { db in
            let statement = try db.cachedStatement(
                sql: "SELECT uid FROM meeting WHERE uid = :uid")
            return Set(
                try uids.compactMap { try String.fetchOne(statement, arguments: ["uid": $0]) })
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

    /// The calendars that somebody added, or that say when they are busy themselves.
    ///
    /// - Parameters:
    ///   - person: who; `nil` for all calendars.
    ///   - limit: the most to return.
    /// - Returns: the calendars, without the times that are in them.
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

    /// A calendar, with the times that are in it; `nil` where it is not there any more.
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

    /// The calendars that are to be read again, or laid out further.
    ///
    /// - Parameters:
    ///   - moment: reading them was last tried before this.
    ///   - horizon: or they are laid out up to less than this.
    ///   - limit: the most to return.
    /// - Returns: their ids.
    /// - Throws: ``StoreError``.
    public func busyCalendars(
        triedBefore moment: Moment, laidOutBefore horizon: Moment, limit: Int
    ) async throws -> [BusyCalendarID] {
        try await read { db in
            try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT id FROM busy_calendar
                        WHERE url <> '' AND tried_at < :moment OR laid_out_until < :horizon
                        ORDER BY tried_at, id LIMIT :limit
                        """),
                arguments: [
                    "moment": moment.milliseconds, "horizon": horizon.milliseconds,
                    "limit": limit,
                ]
            ).map { BusyCalendarID(text: $0) }
        }
    }

    /// Forgets calendars.
    public func removeBusyCalendars(_ ids: [BusyCalendarID]) async throws {
        try await write { db in
            for id in ids {
                try db.execute(
                    sql: "DELETE FROM busy_calendar WHERE id = :id", arguments: ["id": id.text])
            }
        }
    }
}

/// What is known of when people are busy.
public struct KnownTimes: Sendable {
    /// The calendars of each, without the times that are in them.
    public let calendars: [PersonID: [BusyCalendarRecord]]
    /// The meetings of each, as a feed of theirs would show them.
    public let meetings: [PersonID: [FeedMeeting]]
}

extension Store {
    /// What is known of when people are busy within some time.
    ///
    /// - Parameters:
    ///   - people: who.
    ///   - time: when.
    /// - Returns: their calendars, and their meetings here.
    /// - Throws: ``StoreError``.
    public func knownTimes(
        of people: [PersonID], within time: Range<Moment>
    ) async throws -> KnownTimes {
        try await read { db in
            var calendars: [PersonID: [BusyCalendarRecord]] = [:]
            var meetings: [PersonID: [FeedMeeting]] = [:]
            for person in people {
                calendars[person] = try Row.fetchAll(
                    db.cachedStatement(
                        sql: """
                            SELECT \(BusyCalendarRecord.columns), '' AS times FROM busy_calendar
                            WHERE person_id = :person
                            """), arguments: ["person": person.text]
                ).map(BusyCalendarRecord.init(row:))
                meetings[person] = try FeedQuery(
                    .person(person), time.lowerBound, time.upperBound, since: nil,
                    busyTimes: true
                ).meetings(in: db)
            }
            return KnownTimes(calendars: calendars, meetings: meetings)
        }
    }
}

extension BusyCalendarRecord {
    fileprivate static let columns = """
        id, owner_id, person_id, url, file, etag, last_modified, spans, laid_out_until, read_at,
        tried_at, failure
        """

    fileprivate init(row: Row) throws {
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
    }

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
                    laid_out_until, read_at, tried_at, failure)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET
                    etag = excluded.etag, last_modified = excluded.last_modified,
                    times = excluded.times, spans = excluded.spans,
                    laid_out_until = excluded.laid_out_until, read_at = excluded.read_at,
                    tried_at = excluded.tried_at, failure = excluded.failure
                """
        ).execute(arguments: [
            id.text, owner.text, person.text, url, file, entityTag, lastModified, times,
            busy.octets, laidOutUntil.milliseconds, readAt.milliseconds, triedAt.milliseconds,
            failure,
        ])
    }
}

extension BusyTimes {
    /// Octets of a number.
    private static let width = MemoryLayout<Int64>.size

    /// The number of firm spans, then the ends of all spans, firm ones first, as numbers of eight
    /// octets, the lowest first.
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
