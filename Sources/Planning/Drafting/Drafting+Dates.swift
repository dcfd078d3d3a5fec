package import Agenda
import Ledger
import Storage
import Timekeeping
import Wording

extension Drafting {
    /// Finds the date of a series that a text means: `next`, a day, or a day and time if the series
    /// has several dates a day. Both the original start and the current one count.
    ///
    /// - Parameters:
    ///   - text: the date as the user typed it.
    ///   - meeting: the series.
    ///   - isPastToo: true to find dates that are over, too.
    /// - Returns: the date.
    /// - Throws: ``Refusal`` with `no_series`, `unknown_date` or `ambiguous_date`.
    func date(
        _ text: String, of meeting: Meeting, pastToo isPastToo: Bool = false
    ) throws -> SeriesDate {
        let own = try zone(named: meeting.time.zone)
        guard meeting.series != nil else {
            throw Refusal(
                .refused, code: "no_series",
                "\(meeting.title) does not repeat. Leave out the date.")
        }
        if text == Planner.nextDateName {
            guard let next = meeting.nextDate(after: now, in: own) else {
                throw Refusal(
                    .refused, code: "unknown_date", "\(meeting.title) has no coming dates.",
                    advice: [.meetings(.show(meeting.id.text))])
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
                "\(meeting.title) takes place more than once on that day. Name one of these: "
                    + found.map(\.name).joined(separator: ", ") + ".")
        }
        return first
    }

    private func askedDate(_ text: String, from now: WallTime) throws -> AskedDate {
        if case .wall(let wall) = CalendarStamp(text) {
            return AskedDate(day: wall.date, wall: wall)
        }
        let typed: TypedTime.Value
        do throws(TimeTextError) {
            typed = try TypedTime.parse(text, now: now)
        } catch {
            throw Refusal(.invalid, code: "bad_time", error.message)
        }
        switch typed {
        case .date(let date): return AskedDate(day: date)
        case .wall(let wall):
            // "in 3 days" means the day, and not the present time on that day.
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

    /// The last date with a day and month such as "12 jun", which is read as the next one; `nil` if
    /// the text was not read like that.
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
            "\(meeting.title) has no \(isPastToo ? "" : "coming ")date on \"\(text)\".\(hint)",
            advice: [.meetings(.show(meeting.id.text))])
    }

    /// The name of the date of a series that a text means; empty if there is no text.
    package func dateName(_ text: String?, of meeting: Meeting) throws -> String {
        guard let text else { return "" }
        return try date(text, of: meeting).name
    }

    /// The refusal of a request about all dates for a person who is invited to single dates only.
    static func isInDatesOnly(_ person: Person, of meeting: Meeting) -> Refusal {
        Refusal(
            .refused, code: "not_a_participant",
            "\(person.name) is invited to single dates of \(meeting.title) only. Name one.",
            advice: [.give([.date])])
    }

    /// Checks that a date of a series is not cancelled.
    ///
    /// - Throws: ``Refusal`` with `meeting_cancelled`.
    static func checkIsOn(_ date: SeriesDate, of meeting: Meeting) throws(Refusal) {
        guard meeting.status == .confirmed, !date.isOn else { return }
        throw Refusal(
            .refused, code: "meeting_cancelled",
            "\(meeting.title) on \(TimeWords.date(date.time.start.date)) is already cancelled. "
                + "Its other dates take place.")
    }

    /// The bundle of one date of a series, as that of a meeting of its own; the whole bundle if no
    /// date is given.
    package func known(
        _ bundle: MeetingBundle, on text: String?, pastToo isPastToo: Bool = false
    ) throws -> MeetingBundle {
        guard let text else { return bundle }
        return bundle.on(
            try date(text, of: bundle.meeting, pastToo: isPastToo),
            in: try zone(named: bundle.meeting.time.zone))
    }
}

extension MeetingBundle {
    /// True if a person is invited to single dates of a series, but not to all.
    package func isInDates(_ person: PersonID) -> Bool {
        !participants.contains { $0.person == person && !$0.isRemoved }
            && dateParticipants.values.contains { people in
                people.contains { $0.person == person && !$0.isRemoved }
            }
    }
}

/// A date of a series as the user typed it.
private struct AskedDate {
    let day: CivilDate
    /// The wall-clock time, if it was typed.
    var wall: WallTime?
    /// The moment in the user's time zone, if a time was typed.
    var moment: Moment?

    /// The matching dates of a series. A day is compared in the meeting's time zone first, and only
    /// then in the reader's. Cancelled dates are returned only if no other date matches.
    ///
    /// - Parameters:
    ///   - meeting: the series.
    ///   - now: the moment after which the dates end; `nil` for all dates.
    ///   - zone: the rules of the meeting's time zone.
    ///   - reader: the time zone of the person who made the request.
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

    /// The dates around the day in any time zone, and all dates that were moved to another day.
    private func near(_ meeting: Meeting, after now: Moment?, in zone: Zone) -> [SeriesDate] {
        let midnight = { zone.moment(of: WallTime(date: day.adding(days: $0), time: .midnight)) }
        // A far day must not lay out all the dates before it.
        let (begin, end) = (max(now ?? midnight(-3), midnight(-3)), midnight(3))
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
    /// The original day.
    fileprivate var day: CivilDate? { CalendarStamp(name).map(\.day) }
}

extension CalendarStamp {
    /// The day in the stamp.
    var day: CivilDate {
        switch self {
        case .day(let date): date
        case .wall(let wall): wall.date
        case .utc(let moment): WallTime(secondsSince1970: moment.seconds).date
        }
    }
}
