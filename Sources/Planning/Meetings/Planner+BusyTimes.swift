package import Agenda
import Interchange
import Ledger
package import Storage
package import Timekeeping
import Wording

extension Planner {
    /// A period in words, as in "from 14:00 to 15:00". If it covers more than one day, the days are
    /// named, too.
    package func words(of span: Range<Moment>) -> String {
        TimeWords.period(span, in: zone)
    }

    /// The known calendars and meetings of people, as far as the actor may know them.
    ///
    /// - Parameters:
    ///   - people: the people.
    ///   - time: the period to examine.
    /// - Returns: the calendars and meetings.
    /// - Throws: ``StoreError``.
    package func knownTimes(
        of people: [Person], within time: Range<Moment>
    ) async throws -> KnownTimes {
        let ids = people.map(\.id)
        let known = try await store.knownTimes(of: ids, within: time)
        guard !actsAsOwner else { return known }
        let acquaintances = try await store.acquaintances(of: actor.id, among: ids)
        return known.of(acquaintances.union([actor.id]), for: actor.id)
    }

    /// The busy times of a person, from their calendars and their meetings here.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - known: the known calendars and meetings.
    ///   - time: the period to examine.
    ///   - meetings: the meetings to ignore.
    /// - Returns: the busy times.
    package func busyTimes(
        of person: Person, _ known: KnownTimes, within time: Range<Moment>,
        besides meetings: Set<MeetingID> = []
    ) -> BusyTimes {
        let singles = (known.spans[person.id] ?? []).filter { !meetings.contains($0.meeting) }
        let dates = (known.series[person.id] ?? []).filter { !meetings.contains($0.meeting.id) }
            .flatMap { $0.spans(within: time, by: surroundings.zones) }
        let spans = singles.map { (span: $0.time, isFirm: $0.isFirm) } + dates
        return (known.calendars[person.id] ?? []).reduce(
            BusyTimes(
                firm: spans.filter(\.isFirm).map(\.span),
                tentative: spans.filter { !$0.isFirm }.map(\.span))
        ) { $0.union($1.busy.sharing(time)) }
    }

    /// The time zone of a person. If it is unknown, the owner's.
    package func zone(of person: Person) -> Zone {
        if person.id == actor.id { return zone }
        return person.zone.flatMap { try? surroundings.zones.zone($0) }
            ?? (try? Self.ownerZone(in: surroundings)) ?? zone
    }
}

extension FeedMeeting {
    /// The times within a period at which the meeting takes place for its person. They are firm if
    /// the person is going and the meeting is not tentative. Declined and cancelled dates are left
    /// out.
    package func spans(
        within time: Range<Moment>, by zones: ZoneDirectory
    ) -> [(span: Range<Moment>, isFirm: Bool)] {
        guard meeting.series != nil else {
            let span = meeting.time.startsAt..<meeting.time.endsAt
            return answer == .declined ? [] : [(span, isFirm(answer))]
        }
        let zone = (try? zones.zone(meeting.time.zone)) ?? .utc
        return meeting.dates(
            endingAfter: time.lowerBound, startingBefore: time.upperBound, in: zone
        ).compactMap { date in
            let own = dates[date.name]
            guard date.isOn, own?.isRemoved != true, let said = own?.answer ?? answer,
                said != .declined
            else { return nil }
            return (date.time.startsAt..<date.time.endsAt, isFirm(said))
        }
    }

    private func isFirm(_ answer: Answer?) -> Bool {
        answer == .going && !nature.contains(.tentative)
    }
}
