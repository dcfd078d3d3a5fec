import Agenda
import Ledger
import Storage
import Timekeeping
import Wording

/// A participant who is busy, or may be busy, at the time of a meeting.
public struct MeetingConflict: Encodable, Sendable {
    /// The name of the person.
    public let person: String
    /// `hard` if they are busy, `soft` if they may be.
    public let kind: String
    /// The name of the date of a series; `null` if the meeting does not repeat.
    @Null public var occurrence: String?
    /// The start of the busy time.
    public let from: Timestamp
    /// The end of the busy time.
    public let until: Timestamp
    /// The conflict in words, as in "Ben is busy from 14:00 to 15:00."
    public let words: String
    let remark: Remark
    /// The id of the person.
    let id: PersonID
    /// The time of the meeting.
    let date: Range<Moment>
    /// The beginning of a sentence about the person, as in "%name% is busy".
    let whoIs: String

    private enum CodingKeys: CodingKey { case person, kind, occurrence, from, until, words }
}

extension Planner {
    /// The most participants that are checked.
    private static let conflictPeopleMax = 200
    /// The most conflicts of one person that are reported one by one. More are combined.
    private static let conflictsToldMax = 2
    /// The most dates of a series that are checked.
    private static let conflictDatesMax = 10

    /// Adds the conflicts of its participants to a meeting that was created or changed, or is about
    /// to be.
    ///
    /// - Parameters:
    ///   - outcome: the meeting.
    ///   - wanted: the only participants that count; `nil` for all who may come.
    /// - Returns: the outcome with the participants who are busy then, by their calendars and their
    ///   meetings here. What they do then is not revealed.
    /// - Throws: ``StoreError``.
    func notingConflicts(
        in outcome: MeetingOutcome, of wanted: Set<PersonID>? = nil
    ) async throws -> MeetingOutcome {
        guard outcome.meeting.status == .confirmed,
            let plan = outcome.plan
        else { return outcome }
        let times = try times(of: plan).filter { $0.time.upperBound > now }
        guard let first = times.map(\.time.lowerBound).min(),
            let last = times.map(\.time.upperBound).max()
        else { return outcome }
        let people = plan.participants.filter { participant in
            !participant.isRemoved && participant.presentAnswer != .declined
                && wanted?.contains(participant.person) ?? true
        }.compactMap { plan.people[$0.person] }.prefix(Self.conflictPeopleMax)
        let known = try await knownTimes(
            of: Array(people), within: first..<last)
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

    /// The remarks about conflicts. A person with conflicts on many dates of a series, or whose
    /// busy time covers several of them, gets one remark for all.
    private func remarks(on conflicts: [MeetingConflict], among count: Int) -> [Remark] {
        struct Group: Hashable {
            let person: PersonID
            let kind: String
        }
        let groups = conflicts.map { Group(person: $0.id, kind: $0.kind) }
        return groups.uniqued().flatMap { group in
            let own = zip(groups, conflicts).filter { $0.0 == group }.map(\.1)
            let spans = Set(own.map { $0.from.moment..<$0.until.moment })
            guard own.count > min(Self.conflictsToldMax, spans.count) else {
                return own.map(\.remark)
            }
            return [combined(own, among: count)]
        }
    }

    /// One remark about several conflicts of a person. A day with several dates, as of an hourly
    /// series, is named once.
    private func combined(_ conflicts: [MeetingConflict], among count: Int) -> Remark {
        let days = conflicts.map { zone.wallTime(at: $0.date.lowerBound).date }.uniqued()
        let share = conflicts.count == count ? "all of the next %n%" : "%m% of the next %n%"
        return Remark(
            Phrase(
                "\(conflicts[0].whoIs) on \(share) dates: %dates%.",
                [
                    "name": .text(conflicts[0].person), "m": .text("\(conflicts.count)"),
                    "n": .text("\(count)"),
                    "dates": .dates(
                        Array(days.prefix(Self.datesNamedMax)),
                        isCut: days.count > Self.datesNamedMax),
                ]))
    }

    /// The time of a meeting; for a series, the times of the next dates.
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
            let whoIs =
                switch (person.id == actor.id, isFirm) {
                case (true, true): "You are busy"
                case (true, false): "You may be busy"
                case (false, true): "%name% is busy"
                case (false, false): "%name% may be busy"
                }
            let remark = Remark(
                Phrase(
                    "\(whoIs) %period%\(ending(of: span, on: date)).",
                    [
                        "name": .text(person.name), "period": .period(span, zone),
                        "date": .dates([
                            day(at: date.name == nil ? span.lowerBound : date.time.lowerBound)
                        ]),
                    ]))
            return MeetingConflict(
                person: person.name, kind: isFirm ? "hard" : "soft", occurrence: date.name,
                from: Timestamp(span.lowerBound, in: zone, reader: zone),
                until: Timestamp(span.upperBound, in: zone, reader: zone),
                words: remark.text, remark: remark, id: person.id, date: date.time, whoIs: whoIs)
        }
    }

    /// The end of a sentence about a busy time. During a meeting of several days, its day is named,
    /// unless the period names the days because it is over midnight.
    private func ending(
        of span: Range<Moment>, on date: (name: String?, time: Range<Moment>)
    ) -> String {
        guard date.name == nil else { return ", during the meeting on %date%" }
        let last = date.time.upperBound.advanced(bySeconds: -1)
        let isOfDays = day(at: date.time.lowerBound) != day(at: last)
        let isNamed = day(at: span.lowerBound) != day(at: span.upperBound)
        return isOfDays && !isNamed ? " on %date%" : ""
    }

    private func day(at moment: Moment) -> CivilDate { zone.wallTime(at: moment).date }
}
