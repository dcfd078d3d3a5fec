import Agenda
import Ledger
import Storage
import Timekeeping
import Wording

/// Somebody who is asked to a meeting, and who is busy at its time, or may be.
public struct MeetingConflict: Encodable, Sendable {
    /// Who.
    public let person: String
    /// `hard` where they are busy, `soft` where they may be.
    public let kind: String
    /// The date of a series that it is about; `null` of what does not repeat.
    @Null public var occurrence: String?
    /// From when.
    public let from: Timestamp
    /// Until when.
    public let until: Timestamp
    /// The same in words: "Ben is busy from 14:00 to 15:00".
    public let words: String
}

extension Planner {
    /// The most people of a meeting who are looked at.
    private static let conflictPeopleMax = 200
    /// The most dates of a series that are looked at.
    private static let conflictDatesMax = 10

    /// Finds out who is busy at the time of a meeting that was made or changed, or is about to be.
    ///
    /// - Parameter outcome: the meeting.
    /// - Returns: the same, with those who have something else at its time, by their calendars and
    ///   their meetings here. What they have is not said.
    /// - Throws: ``StoreError``.
    public func notingConflicts(in outcome: MeetingOutcome) async throws -> MeetingOutcome {
        guard outcome.meeting.status == MeetingStatus.confirmed.rawValue,
            let plan = outcome.plan
        else { return outcome }
        let times = try times(of: plan).filter { $0.time.upperBound > now }
        guard let first = times.map(\.time.lowerBound).min(),
            let last = times.map(\.time.upperBound).max()
        else { return outcome }
        let people = plan.participants.filter { !$0.isRemoved && $0.answer != .declined }
            .compactMap { plan.people[$0.person] }.prefix(Self.conflictPeopleMax)
        let known = try await store.knownTimes(of: people.map(\.id), within: first..<last)
        var noted = outcome
        noted.conflicts = people.flatMap { person in
            let busy = busyTimes(
                of: person, known, within: first..<last,
                besides: Set([plan.meeting.id, outcome.origin].compactMap(\.self)))
            return times.compactMap { date in conflict(of: person, busy, on: date) }
        }
        noted.remarks += noted.conflicts.map(\.words)
        return noted
    }

    /// When a meeting takes place; of a series, the next dates.
    private func times(
        of plan: MeetingRevision
    ) throws -> [(name: String?, time: Range<Moment>)] {
        let meeting = plan.meeting
        if let date = plan.date { return [(date.name, date.time.startsAt..<date.time.endsAt)] }
        guard meeting.series != nil else {
            return [(nil, meeting.time.startsAt..<meeting.time.endsAt)]
        }
        return meeting.dates(
            endingAfter: now, first: Self.conflictDatesMax, in: try zone(named: meeting.time.zone)
        ).filter(\.isOn).map { ($0.name, $0.time.startsAt..<$0.time.endsAt) }
    }

    private func conflict(
        of person: Person, _ busy: BusyTimes, on date: (name: String?, time: Range<Moment>)
    ) -> MeetingConflict? {
        busy.conflict(with: date.time).map { span, isFirm in
            let name = person.id == actor.id ? "You" : person.name
            let verb =
                switch (person.id == actor.id, isFirm) {
                case (true, true): "are busy"
                case (false, true): "is busy"
                case (_, false): "may be busy"
                }
            let day = date.name == nil ? "" : ", at the date of \(TimeWords.date(day(of: date)))"
            return MeetingConflict(
                person: person.name, kind: isFirm ? "hard" : "soft", occurrence: date.name,
                from: Timestamp(span.lowerBound, in: zone, reader: zone),
                until: Timestamp(span.upperBound, in: zone, reader: zone),
                words: "\(name) \(verb) \(words(of: span))\(day).")
        }
    }

    private func day(of date: (name: String?, time: Range<Moment>)) -> CivilDate {
        zone.wallTime(at: date.time.lowerBound).date
    }
}
