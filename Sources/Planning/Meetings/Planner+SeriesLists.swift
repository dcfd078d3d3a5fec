import Agenda
import Ledger
import Storage
import Timekeeping

/// The meetings of a list, in its order.
struct FoundMeetings {
    /// The meetings.
    var rows: [MeetingSummary]
    /// The start before which the list has all meetings; `nil` if it has all.
    let completeBefore: Moment?
}

/// Collects the first meetings of a list, without keeping all others.
struct FirstMeetings {
    private let limit: Int
    private let isPast: Bool
    private var rows: [MeetingSummary] = []
    /// The start of the last meeting that can be listed; `nil` while there is room for any.
    private(set) var lastStart: Moment?

    /// Collects at most `limit` meetings: the earliest ones, or the latest of past ones.
    init(limit: Int, isPast: Bool) {
        self.limit = limit
        self.isPast = isPast
    }

    mutating func add(_ more: [MeetingSummary]) {
        rows += more
        // Sorting now and then costs less than finding the place of each meeting.
        if rows.count >= (lastStart == nil ? limit : 2 * limit) { cut() }
    }

    /// The meetings.
    ///
    /// - Parameter isWhole: false if not all meetings were examined.
    /// - Returns: the first meetings.
    func found(isWhole: Bool) -> FoundMeetings {
        var first = self
        first.cut()
        return FoundMeetings(
            rows: first.rows, completeBefore: isWhole ? first.lastStart : Moment.earliest)
    }

    private mutating func cut() {
        rows.sort { left, right in
            guard left.startsAt == right.startsAt else {
                return (left.startsAt < right.startsAt) != isPast
            }
            return left.id.text < right.id.text
        }
        rows.removeLast(max(0, rows.count - limit))
        if rows.count == limit { lastStart = rows.last?.startsAt }
    }
}

extension Planner {
    /// The meetings that pass a filter, as ``found(_:eachDate:)``.
    func summaries(
        _ filter: MeetingFilter, eachDate isEachDate: Bool = false
    ) async throws -> [MeetingSummary] {
        try await found(filter, eachDate: isEachDate).rows
    }

    /// The meetings that pass a filter.
    ///
    /// - Parameters:
    ///   - filter: the filter.
    ///   - isEachDate: true to list each date of a series that passes the filter; false to list one
    ///     date for each series: the next, or for past meetings the last.
    /// - Returns: the meetings, in the order of the filter.
    /// - Throws: ``StoreError``, or ``ZoneError``.
    func found(
        _ filter: MeetingFilter, eachDate isEachDate: Bool = false
    ) async throws -> FoundMeetings {
        var first = FirstMeetings(limit: filter.limit, isPast: filter.endsBefore != nil)
        first.add(try await store.meetings(filter))
        let series = try await store.series(filter)
        for listing in series {
            var open = filter
            // The dates behind the last meeting of the list are not laid out.
            if isEachDate, let last = first.lastStart {
                open.startsBefore = min(
                    filter.startsBefore ?? Series.endless, last.advanced(byMilliseconds: 1))
            }
            first.add(
                listing.summaries(
                    open, eachDate: isEachDate, now: now,
                    in: try zone(named: listing.meeting.time.zone)))
        }
        return first.found(isWhole: series.count < Store.seriesMax)
    }

    func line(_ summary: MeetingSummary) throws -> MeetingLine {
        MeetingLine(summary, zone: try zone(named: summary.zone), reader: zone)
    }
}

extension SeriesListing {
    /// The most dates that are examined to find the one that represents a series.
    private static let datesMax = 60

    func summaries(
        _ filter: MeetingFilter, eachDate isEachDate: Bool, now: Moment, in zone: Zone
    ) -> [MeetingSummary] {
        guard let rule = meeting.series?.rule else { return [] }
        return dates(filter, eachDate: isEachDate, now: now, in: zone).map { date in
            let people = people(on: date).filter { !$0.isRemoved }
            var summary = MeetingSummary(
                meeting.on(date), on: date.name, of: rule, turnout: Turnout(of: people))
            summary.organizer = organizer
            summary.own = people.first { $0.person == filter.reader }?.presentAnswer
            summary.isOwnForDate = (dateParticipants[date.name] ?? []).contains {
                $0.person == filter.reader
            }
            return summary
        }
    }

    private func dates(
        _ filter: MeetingFilter, eachDate isEachDate: Bool, now: Moment, in zone: Zone
    ) -> [SeriesDate] {
        func passes(_ date: SeriesDate) -> Bool {
            let isOn = date.isOn && meeting.status == .confirmed
            return (isOn ? !filter.isOnlyCancelled : !filter.isOnlyConfirmed)
                && concerns(filter, on: date)
        }
        if let end = filter.endsBefore {
            return meeting.lastDate(endingBefore: end, in: zone, where: passes).map { [$0] } ?? []
        }
        let after = filter.endsAfter ?? now
        if isEachDate {
            let dates = meeting.dates(
                endingAfter: after, startingBefore: filter.startsBefore ?? Series.endless, in: zone)
            return Array(dates.lazy.filter(passes).prefix(filter.limit))
        }
        if let next = next(endingAfter: after, in: zone, where: passes) { return [next] }
        // A search by id also finds series that have ended.
        guard filter.endsAfter == nil else { return [] }
        return meeting.lastDate(endingBefore: now, in: zone, where: passes).map { [$0] } ?? []
    }

    /// The date that represents the coming dates: the next one that is not cancelled, or else the
    /// next one. Usually that is the very next date.
    private func next(
        endingAfter after: Moment, in zone: Zone, where passes: (SeriesDate) -> Bool
    ) -> SeriesDate? {
        let first = meeting.dates(endingAfter: after, first: 1, in: zone).first
        if let first, first.isOn, passes(first) { return first }
        let coming = meeting.dates(endingAfter: after, first: Self.datesMax, in: zone)
            .filter(passes)
        return coming.first(where: \.isOn) ?? coming.first
    }

    /// True if the participants of a date match the filter.
    private func concerns(_ filter: MeetingFilter, on date: SeriesDate) -> Bool {
        func takesPart(_ person: PersonID?, _ says: (Answer) -> Bool = { _ in true }) -> Bool {
            guard let person else { return true }
            return people(on: date).contains {
                $0.person == person && !$0.isRemoved && says($0.presentAnswer)
            }
        }
        return (filter.member == meeting.organizer || takesPart(filter.member))
            && takesPart(filter.invited) && filter.invited.map { $0 != meeting.organizer } ?? true
            && filter.guests.allSatisfy { takesPart($0) }
            && takesPart(filter.comer) { $0 != .declined }
            && takesPart(filter.silent) { $0 == .invited }
            && filter.joined.map { person in hasJoined(person, on: date) } ?? true
    }

    /// True if a person asked for a seat on a date, and has one or waits for one.
    private func hasJoined(_ person: PersonID, on date: SeriesDate) -> Bool {
        people(on: date).contains {
            $0.person == person && !$0.isRemoved && $0.asked != nil
                && [.going, .waiting].contains($0.answer)
        }
    }
}
