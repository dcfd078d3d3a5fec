public import Agenda
import Interchange
import Ledger
public import Planning
import Settings
import Storage
import Timekeeping
import Transport
import Wording

/// A calendar with the busy times of a person. Its full address is left out, because it may be
/// secret.
public struct BusyCalendarView: Encodable, Sendable {
    /// The id.
    public let id: String
    /// The person whose busy times it shows.
    public let person: PersonLine
    /// The host of a calendar on the web; `null` for a file.
    @Null public var host: String?
    /// The name of the file; `null` for a calendar on the web.
    @Null public var file: String?
    /// The number of busy spans from now on.
    public let busy: Int
    /// The number of further spans in which the person may be busy.
    public let tentative: Int
    /// The moment up to which its recurring busy times are expanded.
    public let until: Timestamp
    /// The time of the last successful read.
    public let read: Timestamp
    /// The reason why the last attempt to read it failed; `null` if it succeeded.
    @Null public var failure: String?
    /// The moment before which the daemon does not read it again, because it was too large; `null`
    /// if it is read as usual.
    @Null public var retry: Timestamp?
    /// The kinds of data that could not be read in it, one sentence for each. They take rather too
    /// much time than too little.
    public let remarks: [String]
}

/// The result of a refresh of busy calendars.
public struct BusyRefreshReport: Encodable, Sendable {
    /// The number of calendars with a new version.
    public internal(set) var read = 0
    /// The number of unchanged calendars.
    public internal(set) var unchanged = 0
    /// The calendars that could not be read, with the reasons.
    public internal(set) var failures: [String] = []
    /// The kinds of data that could not be read in the new versions, one sentence for each.
    public internal(set) var remarks: [String] = []

    static func += (left: inout BusyRefreshReport, right: BusyRefreshReport) {
        left.read += right.read
        left.unchanged += right.unchanged
        left.failures += right.failures
        left.remarks += right.remarks
    }

    /// The result in a sentence.
    public var words: String {
        guard read + unchanged + failures.count > 0 else {
            return "nothing to do: no calendar is due for a refresh"
        }
        return (["\(read) read, \(unchanged) unchanged"] + failures + remarks)
            .joined(separator: "; ")
    }
}

extension Planner {
    /// The maximum number of calendars in a list.
    private static let busyCalendarsMax = 10_000

    /// Adds a calendar of busy times on the web, which the daemon reads regularly.
    ///
    /// - Parameters:
    ///   - address: the address: `https:`, `http:` or `webcal:`.
    ///   - person: the person whose busy times it shows.
    ///   - seconds: the longest wait for the calendar.
    /// - Returns: the calendar after its first read.
    /// - Throws: ``Refusal`` with `bad_url`, `unreachable_calendar`, `not_allowed` or
    ///   `too_many_calendars`; nothing is saved then.
    public func addBusyCalendar(
        at address: String, of person: Person, seconds: Int = 30
    ) async throws -> BusyCalendarView {
        try checkMayAddBusyTimes(of: person)
        let url = try CalendarFetch.address(address)
        try await checkHasRoom(for: url.text)
        let fetch = try CalendarFetch(
            surroundings.configuration, uptime: surroundings.uptime, isPublicOnly: !actsAsOwner,
            patience: seconds * 1000)
        guard
            case .calendar(let download, let tag, let changed) = try await fetch.read(
                url, entityTag: "", lastModified: "")
        else {
            throw Refusal(
                .unreachable, code: "unreachable_calendar",
                "\(url.host) answered \"not modified\" to the first request.")
        }
        var record = try await busyRecord(.url(url.text), of: person)
        (record.entityTag, record.lastModified) = (tag, changed)
        record = try await HeavyWork.run { [record] in
            try await filled(record, of: person, by: download)
        }
        try await store.save(record)
        return try await view(of: record)
    }

    /// Imports the busy times of a person from a calendar file. They replace those of an earlier
    /// file with the same name.
    ///
    /// - Parameters:
    ///   - path: the file; `-` for standard input.
    ///   - person: the person whose busy times it shows.
    /// - Returns: the calendar.
    /// - Throws: ``Refusal`` with `unreadable_file`, `nothing_read` or `not_allowed`.
    public func importBusyCalendar(
        _ path: String, of person: Person
    ) async throws -> BusyCalendarView {
        try checkMayAddBusyTimes(of: person)
        let octets = try NamedFile(path: path).octets()
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var record = try await busyRecord(.file(name), of: person)
        record = try await HeavyWork.run { [record] in
            try await filled(record, of: person, by: Self.reading(of: octets, in: path)) { excess in
                Self.tooMuch(excess, in: path)
            }
        }
        try await store.save(record)
        return try await view(of: record)
    }

    /// Checks that a member does not add too many calendars.
    ///
    /// - Throws: ``Refusal`` with `too_many_calendars`.
    private func checkHasRoom(for address: String) async throws {
        guard !actsAsOwner else { return }
        let added = try await store.busyCalendars(of: actor.id, limit: Self.busyCalendarsMax)
            .filter { $0.owner == actor.id && $0.origin != .url(address) }
        guard added.count < Self.busyCalendarsEachMax else {
            throw Refusal(
                .refused, code: "too_many_calendars",
                "You have \(Self.busyCalendarsEachMax) calendars already. Remove one first.",
                advice: [.calendars(.listBusy)])
        }
    }

    /// The most calendars on the web that a member may add.
    public static let busyCalendarsEachMax = 20

    private static func reading(
        of octets: [UInt8], in path: String
    ) throws(Refusal) -> CalendarReading {
        if let excess = BusyLimits.excess(of: octets) { throw tooMuch(excess, in: path) }
        let reading = CalendarReader.read(octets)
        if let excess = reading.excessWithLine { throw tooMuch(excess, in: path) }
        guard !reading.calendars.isEmpty else {
            throw Refusal(.invalid, code: "nothing_read", "\"\(path)\" contains no calendar.")
        }
        guard !reading.isCutOff else {
            throw Refusal(.invalid, code: "nothing_read", "The end of \"\(path)\" is missing.")
        }
        return reading
    }

    func filled(
        _ record: BusyCalendarRecord, of person: Person, by download: CalendarFetch.CalendarDownload
    ) async throws -> BusyCalendarRecord {
        try await filled(record, of: person, by: download.read(), else: download.tooLarge)
    }

    /// The record with the busy times of a calendar.
    ///
    /// - Throws: the error that `refused` makes of the reason if the calendar is too large.
    private func filled(
        _ record: BusyCalendarRecord, of person: Person, by reading: CalendarReading,
        else refused: (String) -> Refusal
    ) async throws -> BusyCalendarRecord {
        if let excess = BusyLimits.excess(of: reading.calendars) { throw refused(excess) }
        var record = record
        let calendar = try await times(in: reading, of: person.id)
        (record.times, record.remarks) = (calendar.text, calendar.remarks)
        let (new, excess) = laidOut(record, of: person)
        if let excess { throw refused(excess) }
        return new
    }

    /// A new record for a calendar, with the id of the earlier record if the same calendar was read
    /// before.
    private func busyRecord(
        _ origin: BusyCalendarRecord.Origin, of person: Person
    ) async throws -> BusyCalendarRecord {
        let known = try await store.busyCalendars(of: person.id, limit: Self.busyCalendarsMax)
            .first { $0.origin == origin && $0.person == person.id }
        return BusyCalendarRecord(
            id: known?.id ?? surroundings.chance.id(), owner: actor.id, person: person.id,
            origin: origin, now: now)
    }

    /// The busy times in calendars. Meetings of this installation in which the person takes part
    /// are left out, because their busy times are known from the meetings themselves.
    private func times(
        in reading: CalendarReading, of person: PersonID
    ) async throws -> BusyCalendar {
        let known = try await store.meetingUIDs(
            among: BusyCalendar.uids(of: reading.calendars), of: person)
        return BusyCalendar(
            reading.calendars, of: try await store.addresses(of: person), besides: known,
            by: surroundings.zones)
    }

    /// The busy calendars that the actor added or that show when the actor is busy. The owner sees
    /// all.
    public func busyCalendars() async throws -> [BusyCalendarView] {
        var views: [BusyCalendarView] = []
        for record in try await store.busyCalendars(
            of: actsAsOwner ? nil : actor.id, limit: Self.busyCalendarsMax)
        { views.append(try await view(of: record)) }
        return views
    }

    /// The busy calendars that show when the actor is busy, whoever added them.
    ///
    /// - Returns: the calendars, by their hosts and files.
    /// - Throws: ``StoreError``.
    public func personalBusyCalendars() async throws -> [BusyCalendarView] {
        let records = try await store.busyCalendars(of: actor.id, limit: Self.busyCalendarsMax)
        return records.filter { $0.person == actor.id }.map { view(of: $0, person: actor) }
            .sorted { ($0.host ?? $0.file ?? "", $0.id) < ($1.host ?? $1.file ?? "", $1.id) }
    }

    /// Removes calendars with their busy times.
    ///
    /// - Parameter names: the ids, or at least their first four characters.
    /// - Returns: the removed calendars.
    /// - Throws: ``Refusal`` with `unknown_calendar` or `ambiguous_calendar`; nothing is changed
    ///   then.
    public func removeBusyCalendars(_ names: [String]) async throws -> [BusyCalendarView] {
        let known = try await busyCalendars()
        let meant = try names.map { name throws(Refusal) in
            try Self.busyCalendar(name, among: known)
        }
        try await store.removeBusyCalendars(meant.map { BusyCalendarID(text: $0.id) })
        return meant
    }

    private static func busyCalendar(
        _ name: String, among known: [BusyCalendarView]
    ) throws(Refusal) -> BusyCalendarView {
        let found = known.filter { name.count >= 4 && $0.id.hasPrefix(name.lowercased()) }
        guard let calendar = found.first else {
            throw Refusal(
                .refused, code: "unknown_calendar",
                "There is no calendar with the id \"\(name)\".", advice: [.calendars(.listBusy)])
        }
        guard found.count == 1 else {
            throw Refusal(
                .refused, code: "ambiguous_calendar",
                "The ids of several calendars begin with \"\(name)\".",
                candidates: found.map { .word($0.id) })
        }
        return calendar
    }

    /// The actor may add their own busy times, and the owner those of anybody.
    private func checkMayAddBusyTimes(of person: Person) throws(Refusal) {
        guard person.id == actor.id || actsAsOwner else {
            throw Refusal(
                .refused, code: "not_allowed",
                "Only \(person.name) and \(owner.name) can add busy times for \(person.name).")
        }
    }

    private func view(of record: BusyCalendarRecord) async throws -> BusyCalendarView {
        view(of: record, person: try await store.person(record.person))
    }

    private func view(of record: BusyCalendarRecord, person: Person?) -> BusyCalendarView {
        var (host, file): (String?, String?) = (nil, nil)
        switch record.origin {
        case .url(let url): host = (try? HTTPURL(url))?.host
        case .file(let name): file = name
        }
        let ahead = record.busy.sharing(now..<max(now, record.laidOutUntil))
        return BusyCalendarView(
            id: record.id.text,
            person: PersonLine(
                person ?? Person(id: record.person, name: record.person.text),
                isPrivate: !actsAsOwner && record.person != actor.id),
            host: host, file: file, busy: ahead.firm.count, tentative: ahead.tentative.count,
            until: Timestamp(record.laidOutUntil, reader: zone),
            read: Timestamp(record.readAt, reader: zone),
            failure: record.failure.isEmpty ? nil : record.failure,
            retry: record.attempt.retryAt.map { Timestamp($0, reader: zone) },
            remarks: record.remarks)
    }
}
