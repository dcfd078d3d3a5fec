import Agenda
import Ledger
import TestKit
import Timekeeping

extension PlanWalk {
    /// Changes one date of a series, its participants, the rule, or the planning horizon.
    mutating func editDate(using random: inout SeededRandom) throws -> String {
        let ahead = gathering.datesAhead
        guard let date = ahead.randomElement(using: &random) else { return "no date ahead" }
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: return try move(date, using: &random)
        case 2: return cancel(date, isQuiet: random.chance(percent: 30))
        case 3: return replace(date, using: &random)
        case 4, 5, 6: return ask(to: date, using: &random)
        case 7: return try shorten(using: &random)
        default: return planOn(using: &random)
        }
    }

    private mutating func move(
        _ date: SeriesDate, using random: inout SeededRandom
    ) throws -> String {
        let days = Int.random(in: -2...10, using: &random)
        let wall = try WallTime.parse("\(date.time.start.adding(days: days).date)T18:00")
        guard gathering.zone.moment(of: wall) > gathering.now, date.isOn else {
            return "a date that is not moved"
        }
        let time = MeetingTime(
            start: wall, zone: gathering.zone, duration: gathering.meeting.time.duration)
        gathering.change(date.name) { $0.time = time }
        return "\(date.name) moves to \(wall)"
    }

    private mutating func cancel(_ date: SeriesDate, isQuiet: Bool) -> String {
        guard isQuiet else {
            gathering.change(date.name) { $0.status = .cancelled }
            return "\(date.name) is cancelled"
        }
        var change =
            date.change
            ?? DateChange(revision: gathering.meeting.series?.revision ?? 1, sequence: 0)
        change.status = .cancelled
        gathering.meeting.series?.changes[date.name] = change
        return "\(date.name) is cancelled without notification"
    }

    private mutating func replace(
        _ date: SeriesDate, using random: inout SeededRandom
    ) -> String {
        guard random.chance(percent: 50) else {
            gathering.change(date.name) { $0.status = .confirmed }
            return "\(date.name) is restored"
        }
        gathering.change(date.name) { $0.place = .other(MeetingPlace(text: "elsewhere")) }
        return "\(date.name) moves to another place"
    }

    private mutating func ask(
        to date: SeriesDate, using random: inout SeededRandom
    ) -> String {
        let others = gathering.participants.map(\.person) + [PersonID(text: "dora")]
        guard let person = others.randomElement(using: &random),
            let answer = Answer.allCases.randomElement(using: &random)
        else { return "nobody to invite to a date" }
        gathering.addresses["dora"] = "dora@example.org"
        let isRemoved =
            random.chance(percent: 30) && person != Gathering.organizer
        var special = gathering.dateParticipants[date.name] ?? []
        special.removeAll { $0.person == person }
        special.append(Participant(person: person, answer: answer, isRemoved: isRemoved))
        gathering.dateParticipants[date.name] = special
        return "\(person) is \(isRemoved ? "off" : "\(answer)") on \(date.name)"
    }

    private mutating func shorten(using random: inout SeededRandom) throws -> String {
        let count = Int.random(in: 2...8, using: &random)
        let rule = try RecurrenceRule("FREQ=WEEKLY;COUNT=\(count)")
        guard var series = gathering.meeting.series, series.rule != rule else { return "same rule" }
        series.rule = rule
        let kept = Set(gathering.meeting.names(by: series, in: gathering.zone))
        series.changes = series.changes.filter { kept.contains($0.key) }
        series.endsAt = Meeting.lastEnd(
            of: series, from: gathering.meeting.time, in: gathering.zone)
        gathering.meeting.series = series
        gathering.dateParticipants = gathering.dateParticipants.filter { kept.contains($0.key) }
        gathering.changeAll()
        return "\(count) times"
    }

    private mutating func planOn(using random: inout SeededRandom) -> String {
        guard let planned = gathering.meeting.series?.plannedUntil else { return "no series" }
        let days = Int64.random(in: 3...20, using: &random)
        let until = max(planned, gathering.now.advanced(bySeconds: days * 86_400))
        gathering.plannedBefore = planned
        gathering.meeting.series?.plannedUntil = until
        return "plan until \(until)"
    }
}

extension Gathering {
    /// The dates of a series that have not ended.
    fileprivate var datesAhead: [SeriesDate] {
        meeting.dates(
            endingAfter: now, startingBefore: now.advanced(bySeconds: 60 * 86_400), in: zone)
    }

    /// The next start, also of a series.
    var nextStart: Moment {
        (meeting.nextTime(after: now, in: zone) ?? meeting.time).startsAt
    }
}

extension Meeting {
    fileprivate func names(by series: Series, in zone: Zone) -> [String] {
        var meeting = self
        meeting.series = series
        return meeting.dates(in: zone).map(\.name)
    }
}
