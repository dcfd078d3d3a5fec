public import Agenda
public import Ledger
import Storage
public import Timekeeping

extension Planner {
    /// The most rows that a list shows by default.
    public static let listRowsMax = 10_000

    /// The meetings of each of some days in the actor's time zone, read at once: each date of a
    /// series on its own, sorted by start. One that lasts whole days is on these days for readers
    /// in all time zones. Dates that are left out of a series without guests, as in an imported
    /// calendar, are not listed.
    ///
    /// - Parameters:
    ///   - days: the days.
    ///   - isOnlyOwn: true for the meetings that the actor organizes or takes part in; false for
    ///     all that they may see, which the owner of the installation sees all.
    /// - Returns: the meetings of each day.
    /// - Throws: ``StoreError``.
    public func meetings(
        onEachOf days: ClosedRange<CivilDate>, onlyOwn isOnlyOwn: Bool = false
    ) async throws -> [(day: CivilDate, lines: MeetingLines)] {
        var filter = visible(limit: Self.listRowsMax + 1)
        if isOnlyOwn { filter.member = actor.id }
        filter.endsAfter = zone.startOfDay(days.lowerBound.adding(days: -1))
        filter.startsBefore = zone.startOfDay(days.upperBound.adding(days: 2))
        var found = try await found(filter, eachDate: true)
        found.rows.removeAll(where: \.isLeftOut)
        return try (days.lowerBound.daysSince1970...days.upperBound.daysSince1970).map { number in
            let day = days.lowerBound.adding(days: number - days.lowerBound.daysSince1970)
            return (day, try lines(on: day, among: found))
        }
    }

    /// The meetings of a day, among those of several days.
    func lines(on day: CivilDate, among found: FoundMeetings) throws -> MeetingLines {
        let start = zone.startOfDay(day)
        let end = zone.startOfDay(day.adding(days: 1))
        let rows = found.rows.filter { meeting in
            let home = try? zone(named: meeting.zone)
            let whole = home.flatMap {
                WholeDays(from: meeting.startsAt, to: meeting.endsAt, in: $0)
            }
            return whole.map { $0.first <= day && day <= $0.last }
                ?? (meeting.endsAt > start && meeting.startsAt < end)
        }
        return try MeetingLines(
            rows, countMax: Self.listRowsMax,
            isTruncated: found.completeBefore.map { $0 < end } ?? false, reader: zone,
            zone: zone(named:))
    }

    /// The coming meetings to which the actor is invited and has not answered.
    public func meetingsToAnswer(limit: Int) async throws -> [MeetingLine] {
        var filter = visible(limit: limit + 1)
        filter.endsAfter = now
        filter.isOnlyConfirmed = true
        filter.silent = actor.id
        return Array(try await lines(filter).meetings)
    }

    /// The meetings of one day in the actor's time zone.
    public func meetings(on date: CivilDate) async throws -> MeetingLines {
        try await meetings(onEachOf: date...date)[0].lines
    }

    /// Converts the meetings that pass a filter to lines. The filter's limit is one more than is
    /// shown, to find out whether there are more.
    func lines(
        _ filter: MeetingFilter, eachDate isEachDate: Bool = false,
        where passes: (MeetingSummary) -> Bool = { _ in true }
    ) async throws -> MeetingLines {
        let found = try await found(filter, eachDate: isEachDate)
        return try MeetingLines(
            found.rows.filter(passes), countMax: filter.limit - 1,
            isTruncated: found.completeBefore != nil, reader: zone, zone: zone(named:))
    }

    /// One meeting with its people, if the actor may see it: they organize it or take part, or own
    /// the installation. Dates from which they were removed are left out.
    ///
    /// - Parameters:
    ///   - id: the meeting.
    ///   - date: the date of a series to show; `nil` for the whole series, or for the next of the
    ///     dates to which the actor is invited, if it is not the whole series.
    /// - Returns: the meeting in its current state.
    /// - Throws: ``Refusal`` with `unknown_meeting` if there is none, or none for the actor.
    public func sight(of id: MeetingID, on date: String? = nil) async throws -> MeetingView {
        guard let bundle = try await store.meetingFacts(id), mayShow(bundle) else {
            throw Refusal.unknownMeeting(id.text)
        }
        return try await sight(of: bundle, on: date)
    }

    /// A meeting that the actor may see.
    ///
    /// - Throws: ``Refusal`` with `unknown_meeting`.
    func visibleBundle(_ id: MeetingID) async throws -> MeetingBundle {
        let bundle = try await bundle(id)
        guard mayShow(bundle) else { throw Refusal.unknownMeeting(id.text) }
        return bundle
    }

    private func sight(of bundle: MeetingBundle, on date: String?) async throws -> MeetingView {
        try await namingCircle(
            notingReach(in: shown(bundle, on: date), of: bundle.meeting), of: bundle)
    }

    /// A meeting that the actor may see, or one date of it, without what reaches its people.
    ///
    /// - Throws: ``Refusal`` with `unknown_meeting`, `unknown_date` or `no_series`.
    func shown(_ bundle: MeetingBundle, on date: String?) throws -> MeetingView {
        let seen = seenDates(of: bundle)
        let chosen = try date.map {
            try drafting.date($0, of: seen.seen(bundle.meeting), pastToo: true)
        }
        guard let shown = try chosen ?? soleDate(of: bundle) else { return try view(bundle) }
        guard seen.contains(shown.name) else {
            throw Refusal.unknownMeeting(bundle.meeting.id.text)
        }
        return try view(bundle, on: shown)
    }

    func mayShow(_ bundle: MeetingBundle) -> Bool {
        let all = [bundle.participants] + bundle.dateParticipants.values
        return actsAsOwner || bundle.meeting.organizer == actor.id
            || all.joined().contains { $0.person == actor.id && !$0.isRemoved }
    }

    /// One meeting with its people.
    ///
    /// - Parameters:
    ///   - id: the meeting.
    ///   - date: the date of a series to show; `nil` for the whole series.
    /// - Returns: the meeting in its current state.
    /// - Throws: ``Refusal``.
    public func meeting(_ id: MeetingID, on date: String? = nil) async throws -> MeetingView {
        try await sight(of: try await bundle(id), on: date)
    }
}

extension MeetingSummary {
    /// True if it is a cancelled date of a series in which nobody but the reader takes part, so
    /// that nobody was told of it.
    fileprivate var isLeftOut: Bool {
        status == .cancelled && !occurrence.isEmpty && own != nil && turnout.peopleCount == 1
    }
}
