import Agenda
import Interchange
import Ledger
import Settings
import Storage
import Timekeeping
import Transport
import Wording

/// A calendar that says when somebody is busy, without its whole address, which may be a secret.
public struct BusyCalendarView: Encodable, Sendable {
    /// The id.
    public let id: String
    /// Who is busy.
    public let person: PersonLine
    /// The host where it is; `null` of a file.
    @Null public var host: String?
    /// The name of the file; `null` of what is on the web.
    @Null public var file: String?
    /// How many spans of time it takes from now on.
    public let busy: Int
    /// How many more it may take.
    public let tentative: Int
    /// Up to when it was laid out.
    public let until: Timestamp
    /// When it was read last.
    public let read: Timestamp
    /// Why it could not be read since; `null` where it could.
    @Null public var failure: String?
}

/// What became of calendars that were to be read again.
public struct BusyRefreshReport: Encodable, Sendable {
    /// Those that were read anew.
    public internal(set) var read = 0
    /// Those that were as before.
    public internal(set) var unchanged = 0
    /// Those that could not be read, with the reasons.
    public internal(set) var failures: [String] = []

    static func += (left: inout BusyRefreshReport, right: BusyRefreshReport) {
        left.read += right.read
        left.unchanged += right.unchanged
        left.failures += right.failures
    }

    /// The same in a sentence.
    public var words: String {
        guard read + unchanged + failures.count > 0 else {
            return "nothing to do: none is to be read again yet"
        }
        return (["\(read) read, \(unchanged) as before"] + failures).joined(separator: "; ")
    }
}

extension Planner {
    /// The most calendars that a list shows.
    private static let busyCalendarsMax = 10_000
    /// Busy times are laid out for so many days ahead.
    private static let busyDaysAhead: Int64 = 430
    /// And further when they reach less far than so many days.
    private static let busyDaysAheadMin: Int64 = 400
    private static let daySeconds: Int64 = 86_400

    /// Has the daemon read a calendar again and again, to know when somebody is busy.
    ///
    /// - Parameters:
    ///   - address: where it is: `https:`, `http:` or `webcal:`.
    ///   - who: whose it is; `nil` for the actor.
    /// - Returns: the calendar, read for the first time.
    /// - Throws: ``Refusal`` with `bad_url`, `unreachable_calendar` or `not_allowed`; nothing is
    ///   kept then.
    public func addBusyCalendar(
        at address: String, of who: String?
    ) async throws -> BusyCalendarView {
        let person = try await busyPerson(who)
        let url = try CalendarFetch.address(address)
        let fetch = try CalendarFetch(
            surroundings.configuration, uptime: surroundings.uptime)
        guard
            case .calendar(let reading, let tag, let changed) = try await fetch.read(
                url, entityTag: "", lastModified: "")
        else {
            throw Refusal(
                .unreachable, code: "unreachable_calendar",
                "\(url.host) says that nothing has changed since nobody asked.")
        }
        var record = try await busyRecord(.url(url.text), of: person)
        (record.entityTag, record.lastModified) = (tag, changed)
        record.times = try await times(in: reading, of: person.id)
        record = laidOut(record, of: person)
        try await store.save(record)
        return try await view(of: record)
    }

    /// Takes from a calendar file when somebody is busy. A file that is read again takes the place
    /// of what was read under its name.
    ///
    /// - Parameters:
    ///   - path: the file; `-` for standard input.
    ///   - who: whose it is; `nil` for the actor.
    /// - Returns: the calendar.
    /// - Throws: ``Refusal`` with `unreadable_file`, `nothing_read` or `not_allowed`.
    public func importBusyCalendar(
        _ path: String, of who: String?
    ) async throws -> BusyCalendarView {
        let person = try await busyPerson(who)
        let reading = CalendarReader.read(try NamedFile(path: path).octets())
        guard !reading.calendars.isEmpty else {
            throw Refusal(.invalid, code: "nothing_read", "\(path) holds no calendar.")
        }
        guard !reading.isCutOff else {
            throw Refusal(.invalid, code: "nothing_read", "\(path) is cut off.")
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var record = try await busyRecord(.file(name), of: person)
        record.times = try await times(in: reading, of: person.id)
        record = laidOut(record, of: person)
        try await store.save(record)
        return try await view(of: record)
    }

    /// What is read from somewhere for the first time, or in the place of what was read there.
    private func busyRecord(
        _ origin: BusyCalendarRecord.Origin, of person: Person
    ) async throws -> BusyCalendarRecord {
        let known = try await store.busyCalendars(of: person.id, limit: Self.busyCalendarsMax)
            .first { $0.origin == origin && $0.person == person.id }
        return BusyCalendarRecord(
            id: known?.id ?? surroundings.chance.id(), owner: actor.id, person: person.id,
            origin: origin, now: now)
    }

    /// What calendars say of when somebody is busy. Meetings here are known anyway, and better.
    private func times(
        in reading: CalendarReading, of person: PersonID
    ) async throws -> String {
        let known = try await store.meetingUIDs(
            among: BusyCalendar.uids(of: reading.calendars))
        return BusyCalendar(
            reading.calendars, of: try await store.addresses(of: person), besides: known
        ).text
    }

    /// The calendars that the actor added, or that say when they are busy; the owner sees all.
    public func busyCalendars() async throws -> [BusyCalendarView] {
        var views: [BusyCalendarView] = []
        for record in try await store.busyCalendars(
            of: actsAsOwner ? nil : actor.id, limit: Self.busyCalendarsMax)
        { views.append(try await view(of: record)) }
        return views
    }

    /// Forgets calendars, and the times that they said.
    ///
    /// - Parameter names: their ids, or the beginnings of these.
    /// - Returns: the calendars that were.
    /// - Throws: ``Refusal`` with `unknown_calendar` or `ambiguous_calendar`; nothing has changed
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
                "There is no such calendar: \(name). Those that there are, lists: letsmeet "
                    + "calendar busy list")
        }
        guard found.count == 1 else {
            throw Refusal(
                .refused, code: "ambiguous_calendar", "Several calendars begin with \(name).",
                candidates: found.map { .word($0.id) })
        }
        return calendar
    }

    /// Who is busy: the actor, or whom the owner names.
    private func busyPerson(_ who: String?) async throws -> Person {
        guard let who else { return actor }
        let person = try await person(who)
        guard person.id == actor.id || actsAsOwner else {
            throw Refusal(
                .refused, code: "not_allowed",
                "When \(person.name) is busy is for them to say, and for \(owner.name).")
        }
        return person
    }

    private func view(of record: BusyCalendarRecord) async throws -> BusyCalendarView {
        let person = try await store.person(record.person)
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
            failure: record.failure.isEmpty ? nil : record.failure)
    }
}

/// Reading calendars again.
extension Planner {
    /// A calendar is read again so long after it was tried last, in seconds.
    private static let busyReadSeconds: Int64 = 25 * 60
    /// So many are read in one turn.
    private static let busyReadsMax = 10_000

    /// Reads the calendars again that are on the web and were not read for a while, and lays out
    /// further what those say that were.
    ///
    /// - Parameter isForced: whether those are read again that were read a moment ago.
    /// - Returns: what became of them; one that cannot be read holds up no other.
    /// - Throws: ``Refusal`` with `not_allowed`, or ``StoreError``.
    public func refreshBusyCalendars(isForced: Bool = false) async throws -> BusyRefreshReport {
        try checkIsOwner(to: "have all calendars read again")
        let fetch = try CalendarFetch(
            surroundings.configuration, uptime: surroundings.uptime)
        var report = BusyRefreshReport()
        let tried = now.advanced(bySeconds: isForced ? 1 : -Self.busyReadSeconds)
        let ids = try await store.busyCalendars(
            triedBefore: tried, laidOutBefore: busyHorizon, limit: Self.busyReadsMax)
        for start in stride(from: 0, to: ids.count, by: Self.busyReadsAtOnce) {
            try Task.checkCancellation()
            let chunk = ids[start..<min(start + Self.busyReadsAtOnce, ids.count)]
            report += try await withThrowingTaskGroup(of: BusyRefreshReport.self) { group in
                for id in chunk {
                    group.addTask { try await refresh(id, triedBefore: tried, by: fetch) }
                }
                return try await group.reduce(into: BusyRefreshReport()) { $0 += $1 }
            }
        }
        return report
    }

    /// So many are read beside each other.
    private static let busyReadsAtOnce = 8

    /// Up to when they are to be laid out at least.
    private var busyHorizon: Moment {
        now.advanced(bySeconds: Self.busyDaysAheadMin * Self.daySeconds)
    }

    private func refresh(
        _ id: BusyCalendarID, triedBefore tried: Moment, by fetch: CalendarFetch
    ) async throws -> BusyRefreshReport {
        var report = BusyRefreshReport()
        guard var record = try await store.busyCalendar(id),
            let person = try await store.person(record.person)
        else { return report }
        var isNew = false
        if case .url(let address) = record.origin, record.triedAt < tried {
            isNew = await read(&record, at: address, of: person, by: fetch, &report)
        }
        let isSame = !isNew && record.laidOutUntil >= busyHorizon
        try await store.update(isSame ? record : laidOut(record, of: person), isSame: isSame)
        return report
    }

    /// Reads a calendar again.
    ///
    /// - Returns: whether it says something else than before.
    private func read(
        _ record: inout BusyCalendarRecord, at address: String, of person: Person,
        by fetch: CalendarFetch, _ report: inout BusyRefreshReport
    ) async -> Bool {
        record.triedAt = now
        do {
            let answer = try await fetch.read(
                try CalendarFetch.address(address), entityTag: record.entityTag,
                lastModified: record.lastModified)
            record.failure = ""
            record.readAt = now
            guard case .calendar(let reading, let tag, let changed) = answer else {
                report.unchanged += 1
                return false
            }
            record.times = try await times(in: reading, of: person.id)
            (record.entityTag, record.lastModified) = (tag, changed)
            report.read += 1
            return true
        } catch {
            record.failure = "\(error)"
            report.failures.append("\(person.name): \(error)")
            return false
        }
    }

    /// The same with its times laid out from yesterday on.
    private func laidOut(
        _ record: BusyCalendarRecord, of person: Person
    ) -> BusyCalendarRecord {
        var record = record
        record.laidOutUntil = now.advanced(bySeconds: Self.busyDaysAhead * Self.daySeconds)
        let found = BusyPeriods(
            of: record.times, from: now.advanced(bySeconds: -Self.daySeconds),
            until: record.laidOutUntil, in: zone(of: person), by: surroundings.zones)
        record.busy = BusyTimes(firm: found.firm, tentative: found.tentative)
        return record
    }

    /// By whose clocks a person lives, as far as that is known.
    func zone(of person: Person) -> Zone {
        if person.id == actor.id { return zone }
        return person.zone.flatMap { try? surroundings.zones.zone($0) }
            ?? (try? Self.ownerZone(in: surroundings)) ?? zone
    }
}
