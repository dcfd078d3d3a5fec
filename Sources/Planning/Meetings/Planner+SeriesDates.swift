import Agenda
import Ledger
import Storage
import Timekeeping
import Wording

extension Planner {
    /// What names the next date of a series.
    static let nextName = "next"

    /// The date of a series that somebody names by its day, or by day and time where it has several
    /// dates a day: as it was to be first, or as it is now.
    ///
    /// - Parameters:
    ///   - text: the date.
    ///   - meeting: the series.
    ///   - isPastToo: whether a date that is over is one, too.
    /// - Returns: the date.
    /// - Throws: ``Refusal`` with `no_series`, `unknown_date` or `ambiguous_date`.
    func date(
        _ text: String, of meeting: Meeting, pastToo isPastToo: Bool = false
    ) throws -> SeriesDate {
        let own = try zone(named: meeting.time.zone)
        guard meeting.series != nil else {
            throw Refusal(
                .refused, code: "no_series",
                "\(meeting.title) does not repeat: leave out the date.")
        }
        if text == Self.nextName {
            guard let next = meeting.nextDate(after: now, in: own) else {
                throw Refusal(
                    .refused, code: "unknown_date", "No date of \(meeting.title) lies ahead.")
            }
            return next
        }
        if case .wall? = CalendarStamp(text), meeting.hasDate(named: text, in: own),
            let named = meeting.date(named: text, in: own), isPastToo || named.time.endsAt > now
        {
            return named
        }
        let asked = try askedDate(text, from: zone.wallTime(at: now))
        var found = asked.found(among: meeting, after: isPastToo ? nil : now, in: own, reader: zone)
        if found.isEmpty, isPastToo, let before = try pastDate(text, like: asked) {
            found = before.found(among: meeting, after: nil, in: own, reader: zone)
        }
        guard let first = found.first else {
            let midnight = own.moment(of: WallTime(date: asked.day, time: .midnight))
            throw unknownDate(text, of: meeting, near: midnight, pastToo: isPastToo, in: own)
        }
        guard found.count == 1 else {
            throw Refusal(
                .refused, code: "ambiguous_date",
                "\(meeting.title) is more than once on that day. Name one: "
                    + found.map(\.name).joined(separator: ", ") + ".")
        }
        return first
    }

    private func askedDate(_ text: String, from now: WallTime) throws -> AskedDate {
        if case .wall(let wall) = CalendarStamp(text) {
            return AskedDate(day: wall.date, wall: wall)
        }
        switch try TypedTime.parse(text, now: now) {
        case .date(let date): return AskedDate(day: date)
        case .wall(let wall):
            // Who says "in 3 days" means the day, and not this minute of it.
            let isSpan = text.hasPrefix("+") || text.lowercased().hasPrefix("in ")
            let isAsNow = wall.time == now.adding(seconds: -now.time.second).time
            guard !isSpan || !isAsNow else { return AskedDate(day: wall.date) }
            return AskedDate(day: wall.date, wall: wall, moment: zone.moment(of: wall))
        case .instant(let moment, _):
            return AskedDate(day: zone.wallTime(at: moment).date, moment: moment)
        case .fromNow(let span):
            let moment = span.after(zone.moment(of: now), in: zone)
            return AskedDate(day: zone.wallTime(at: moment).date, moment: moment)
        }
    }

    /// What a day of a year, such as "12 jun", meant a year ago: it is read as the next one.
    private func pastDate(_ text: String, like next: AskedDate) throws -> AskedDate? {
        let now = zone.wallTime(at: self.now)
        let past = WallTime(date: now.date.adding(days: -366), time: now.time)
        let asked = try askedDate(text, from: past)
        let isSame = asked.day.month == next.day.month && asked.day.day == next.day.day
        return isSame && asked.day < next.day ? asked : nil
    }

    private func unknownDate(
        _ text: String, of meeting: Meeting, near asked: Moment, pastToo isPastToo: Bool,
        in zone: Zone
    ) -> Refusal {
        let next =
            meeting.nextDate(after: max(asked, now), in: zone)
            ?? meeting.nextDate(after: now, in: zone)
        let hint = next.map { " There is one on \(TimeWords.date($0.time.start.date))." } ?? ""
        return Refusal(
            .refused, code: "unknown_date",
            "\(meeting.title) has no date on \(text)\(isPastToo ? "" : " that lies ahead").\(hint)")
    }

    /// The name of a date of a series; empty where none is meant.
    func dateName(_ text: String?, of meeting: Meeting) throws -> String {
        guard let text else { return "" }
        return try date(text, of: meeting).name
    }

    /// Refuses what is meant for all dates of somebody who takes part in some alone.
    static func isInDatesOnly(_ person: Person, of meeting: Meeting) -> Refusal {
        Refusal(
            .refused, code: "not_a_participant",
            "\(person.name) is in \(meeting.title) on single dates only: name one with --on.")
    }

    /// Refuses what is to be done with a date that is off.
    static func checkIsOn(_ date: SeriesDate, of meeting: Meeting) throws(Refusal) {
        guard meeting.status == .confirmed, !date.isOn else { return }
        throw Refusal(
            .refused, code: "meeting_cancelled",
            "\(meeting.title) on \(TimeWords.date(date.time.start.date)) was called off already; "
                + "its other dates stand.")
    }

    /// What is known of one date of a series, as of a meeting of its own; of the whole where none
    /// is named.
    func known(_ bundle: MeetingBundle, on text: String?) throws -> MeetingBundle {
        guard let text else { return bundle }
        return bundle.on(
            try date(text, of: bundle.meeting), in: try zone(named: bundle.meeting.time.zone))
    }
}

extension MeetingBundle {
    /// Whether somebody is asked to single dates of a series, and not to all.
    func isInDates(_ person: PersonID) -> Bool {
        !participants.contains { $0.person == person && !$0.isRemoved }
            && dateParticipants.values.contains { people in
                people.contains { $0.person == person && !$0.isRemoved }
            }
    }
}

/// A date of a series as somebody asks for it.
private struct AskedDate {
    let day: CivilDate
    /// The time, where it is said.
    var wall: WallTime?
    /// What it is by the clock of whoever asks.
    var moment: Moment?

    /// Those that are meant. Days are those of the meeting's clocks, or else of the reader's; of
    /// several on a day, those that take place go first.
    ///
    /// - Parameters:
    ///   - meeting: the series.
    ///   - now: they are not over by then; `nil` for all.
    ///   - zone: the rules of the meeting's zone.
    ///   - reader: by whose clocks it is asked.
    /// - Returns: the dates.
    func found(
        among meeting: Meeting, after now: Moment?, in zone: Zone, reader: Zone
    ) -> [SeriesDate] {
        let dates = near(meeting, after: now, in: zone)
        guard wall == nil && moment == nil else { return Self.onFirst(dates.filter(isAt)) }
        let own = dates.filter { $0.time.start.date == day || $0.day == day }
        return Self.onFirst(
            own.isEmpty
                ? dates.filter { reader.wallTime(at: $0.time.startsAt).date == day } : own)
    }

    /// Dates around the day, wherever clocks show it, and those that were to be on another day.
    private func near(_ meeting: Meeting, after now: Moment?, in zone: Zone) -> [SeriesDate] {
        let midnight = { zone.moment(of: WallTime(date: day.adding(days: $0), time: .midnight)) }
        let (begin, end) = (now ?? midnight(-3), midnight(3))
        let near = meeting.dates(endingAfter: begin, startingBefore: end, in: zone)
        let known = Set(near.map(\.name))
        return near
            + meeting.movedDates.filter { date in
                !known.contains(date.name) && now.map { date.time.endsAt > $0 } ?? true
            }.sorted { $0.name < $1.name }
    }

    private func isAt(_ date: SeriesDate) -> Bool {
        date.time.start == wall || date.time.startsAt == moment
            || wall.map { CalendarStamp.wall($0).description } == date.name
    }

    private static func onFirst(_ dates: [SeriesDate]) -> [SeriesDate] {
        let on = dates.filter(\.isOn)
        return on.isEmpty ? dates : on
    }
}

extension SeriesDate {
    /// The day on which it was to be first.
    fileprivate var day: CivilDate? { CalendarStamp(name).map(\.day) }
}

extension CalendarStamp {
    /// The day that is written.
    var day: CivilDate {
        switch self {
        case .day(let date): date
        case .wall(let wall): wall.date
        case .utc(let moment): WallTime(secondsSince1970: moment.seconds).date
        }
    }
}
