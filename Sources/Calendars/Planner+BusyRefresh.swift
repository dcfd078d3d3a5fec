import Agenda
import Interchange
import Ledger
public import Planning
import Storage
import Timekeeping

/// Refreshing busy calendars.
extension Planner {
    /// The number of days ahead for which recurring busy times are expanded.
    fileprivate static let busyDaysAhead: Int64 = 430
    /// The number of days ahead below which they are expanded again.
    fileprivate static let busyDaysAheadMin: Int64 = 400
    fileprivate static let daySeconds: Int64 = 86_400
    /// The minimum interval between two attempts to read a calendar, in seconds.
    fileprivate static let busyReadSeconds: Int64 = 25 * 60
    /// The maximum number of calendars per refresh.
    private static let busyReadsMax = 10_000

    /// Reads calendars on the web again if their last read is a while ago, and expands recurring
    /// busy times further. A calendar that was too large is read again at growing intervals: each
    /// is as long as the time since the last good version, and at most a day.
    ///
    /// - Parameter isForced: true to also read calendars that were read recently, or that were too
    ///   large.
    /// - Returns: the result. A calendar that cannot be read does not affect the others.
    /// - Throws: ``Refusal`` with `not_allowed`, or ``StoreError``.
    public func refreshBusyCalendars(isForced: Bool = false) async throws -> BusyRefreshReport {
        try checkIsOwner(to: "refresh all calendars")
        let fetches = try BusyFetches(
            own: fetch(isPublicOnly: false), others: fetch(isPublicOnly: true))
        var report = BusyRefreshReport()
        let tried = now.advanced(bySeconds: isForced ? 1 : -Self.busyReadSeconds)
        let found = try await store.busyCalendars(
            triedBefore: tried, laidOutBefore: busyHorizon, limit: Self.busyReadsMax)
        let isDue = reads(triedBefore: tried, isForced: isForced)
        let horizon = busyHorizon
        let ids = found.filter { isDue($0) || $0.laidOutUntil < horizon }.map(\.id)
        for start in stride(from: 0, to: ids.count, by: Self.busyReadsAtOnce) {
            try Task.checkCancellation()
            let chunk = ids[start..<min(start + Self.busyReadsAtOnce, ids.count)]
            report += try await withThrowingTaskGroup(of: BusyRefreshReport.self) { group in
                for id in chunk {
                    group.addTask { try await refresh(id, if: isDue, by: fetches) }
                }
                return try await group.reduce(into: BusyRefreshReport()) { $0 += $1 }
            }
        }
        return report
    }

    /// True for a calendar that is read now.
    private func reads(
        triedBefore tried: Moment, isForced: Bool
    ) -> @Sendable (BusyCalendarAttempt) -> Bool {
        let now = now
        return { attempt in
            attempt.triedAt < tried && (isForced || attempt.retryAt.map { $0 <= now } ?? true)
        }
    }

    /// The number of calendars that are read concurrently.
    private static let busyReadsAtOnce = 4

    /// The moment up to which busy times must be expanded.
    private var busyHorizon: Moment {
        now.advanced(bySeconds: Self.busyDaysAheadMin * Self.daySeconds)
    }

    private func fetch(
        isPublicOnly: Bool, seconds: Int = CalendarFetch.timeoutMilliseconds / 1000
    ) throws(Refusal) -> CalendarFetch {
        try CalendarFetch(
            surroundings.configuration, uptime: surroundings.uptime, isPublicOnly: isPublicOnly,
            patience: seconds * 1000)
    }

    /// Reads one calendar on the web again, now.
    ///
    /// - Parameters:
    ///   - id: a calendar that shows when the actor is busy.
    ///   - seconds: the longest wait for the calendar.
    /// - Returns: the calendar afterwards, with the reason if it could not be read.
    /// - Throws: ``Refusal`` with `unknown_calendar`.
    public func rereadBusyCalendar(
        _ id: String, seconds: Int
    ) async throws -> BusyCalendarView {
        let known = try await personalBusyCalendars().contains { $0.id == id && $0.host != nil }
        guard known else {
            throw Refusal(
                .refused, code: "unknown_calendar", "There is no calendar with the id \"\(id)\".",
                advice: [.calendars(.listBusy)])
        }
        let fetches = try BusyFetches(
            own: fetch(isPublicOnly: false, seconds: seconds),
            others: fetch(isPublicOnly: true, seconds: seconds))
        _ = try await refresh(BusyCalendarID(text: id), if: { _ in true }, by: fetches)
        guard let view = try await personalBusyCalendars().first(where: { $0.id == id }) else {
            throw Refusal(.refused, code: "unknown_calendar", "The calendar was removed.")
        }
        return view
    }

    private func refresh(
        _ id: BusyCalendarID, if isDue: (BusyCalendarAttempt) -> Bool, by fetches: BusyFetches
    ) async throws -> BusyRefreshReport {
        var report = BusyRefreshReport()
        guard var record = try await store.busyCalendar(id),
            let person = try await store.person(record.person)
        else { return report }
        var isNew = false
        if case .url(let address) = record.origin, isDue(record.attempt) {
            let fetch = record.owner == owner.id ? fetches.own : fetches.others
            isNew = await read(&record, at: address, of: person, by: fetch, &report)
        }
        let isSame = isNew || record.laidOutUntil >= busyHorizon
        if !isSame {
            record = try await HeavyWork.run { [record] in laidOut(record, of: person).record }
        }
        try await store.update(record, isSame: !isNew && isSame)
        return report
    }

    /// Reads a calendar on the web again.
    ///
    /// - Returns: true if the server sent a new version.
    private func read(
        _ record: inout BusyCalendarRecord, at address: String, of person: Person,
        by fetch: CalendarFetch, _ report: inout BusyRefreshReport
    ) async -> Bool {
        record.triedAt = now
        do {
            let answer = try await fetch.read(
                try CalendarFetch.address(address), entityTag: record.entityTag,
                lastModified: record.lastModified)
            guard case .calendar(let download, let tag, let changed) = answer else {
                (record.failure, record.readAt) = ("", now)
                report.unchanged += 1
                return false
            }
            record = try await HeavyWork.run { [record] in
                try await filled(record, of: person, by: download)
            }
            (record.failure, record.readAt) = ("", now)
            (record.entityTag, record.lastModified) = (tag, changed)
            report.read += 1
            report.remarks += record.remarks.map { "\(person.name): \($0)" }
            return true
        } catch {
            record.failure = "\(error)"
            report.failures.append("\(person.name): \(error)")
            return false
        }
    }

    /// The calendar with its busy times expanded from yesterday on, and the reason why it is too
    /// large for that; the reason is `nil` if it is not.
    func laidOut(
        _ record: BusyCalendarRecord, of person: Person
    ) -> (record: BusyCalendarRecord, excess: String?) {
        var record = record
        record.laidOutUntil = now.advanced(bySeconds: Self.busyDaysAhead * Self.daySeconds)
        let found = BusyPeriods(
            of: record.times, from: now.advanced(bySeconds: -Self.daySeconds),
            until: record.laidOutUntil, in: zone(of: person), by: surroundings.zones)
        record.busy = BusyTimes(firm: found.firm, tentative: found.tentative)
        return (record, found.excess)
    }
}

/// The downloaders of calendars.
private struct BusyFetches {
    /// For addresses that the owner of the installation added. Exceptions hold for them.
    let own: CalendarFetch
    /// For addresses that others added.
    let others: CalendarFetch
}

extension BusyCalendarAttempt {
    /// The moment from which a calendar that was too large is read again; `nil` for any other.
    var retryAt: Moment? {
        guard failure.contains(CalendarFetch.tooLargeWords) else { return nil }
        let since = (triedAt.milliseconds - readAt.milliseconds) / 1000
        return triedAt.advanced(
            bySeconds: min(max(since, Planner.busyReadSeconds), Planner.daySeconds))
    }
}
