import Agenda
import Ledger
import Storage
import Timekeeping

extension Planner {
    /// The meetings that pass a filter.
    ///
    /// - Parameters:
    ///   - filter: the filter.
    ///   - isEachDate: true to list each date of a series that passes the filter; false to list one
    ///     date for each series: the next, or for past meetings the last.
    /// - Returns: the meetings, in the order of the filter.
    /// - Throws: ``StoreError``, or ``ZoneError``.
    func summaries(
        _ filter: MeetingFilter, eachDate isEachDate: Bool = false
    ) async throws -> [MeetingSummary] {
        let single = try await store.meetings(filter)
        let series = try await store.series(filter)
        guard !series.isEmpty else { return single }
        let dates = try series.flatMap { listing in
            listing.summaries(
                filter, eachDate: isEachDate, now: now,
                in: try zone(named: listing.meeting.time.zone))
        }
        let isPast = filter.endsBefore != nil
        let ordered = (single + dates).sorted { left, right in
            guard left.startsAt == right.startsAt else {
                return (left.startsAt < right.startsAt) != isPast
            }
            return left.id.text < right.id.text
        }
        return Array(ordered.prefix(filter.limit))
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
            return meeting.dates(
                endingAfter: after, startingBefore: filter.startsBefore ?? Series.endless, in: zone
            ).filter(passes)
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
    }
}
