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
    /// Which person of that name.
    let id: PersonID
    /// When the meeting is.
    let date: Range<Moment>
    /// Who is busy, or may be: "Ben is busy".
    let whoIs: String

    private enum CodingKeys: CodingKey { case person, kind, occurrence, from, until, words }
}

extension Planner {
    /// The most people of a meeting who are looked at.
    private static let conflictPeopleMax = 200
    /// So many of one person are told one by one.
    private static let conflictsToldMax = 2
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
        noted.remarks += remarks(on: noted.conflicts, among: times.count)
        return noted
    }

    /// Who has something else on many dates of a series is named once for all of them.
    private func remarks(on conflicts: [MeetingConflict], among count: Int) -> [String] {
        struct Group: Hashable {
            let person: PersonID
            let kind: String
        }
        let groups = conflicts.map { Group(person: $0.id, kind: $0.kind) }
        return groups.uniqued().flatMap { group in
            let own = zip(groups, conflicts).filter { $0.0 == group }.map(\.1)
            guard own.count > Self.conflictsToldMax, let first = own.first else {
                return own.map(\.words)
            }
            let days = own.map { TimeWords.date(zone.wallTime(at: $0.date.lowerBound).date) }
            let more = days.count > Self.datesNamedMax ? ", and more" : ""
            return [
                "\(first.whoIs) at \(own.count) of the next \(count) dates: "
                    + "\(days.prefix(Self.datesNamedMax).joined(separator: ", "))\(more)."
            ]
        }
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
                words: "\(name) \(verb) \(words(of: span))\(day).", id: person.id, date: date.time,
                whoIs: "\(name) \(verb)")
        }
    }

    private func day(of date: (name: String?, time: Range<Moment>)) -> CivilDate {
        zone.wallTime(at: date.time.lowerBound).date
    }
}
