import Agenda
import Ledger
import Storage
import Timekeeping

extension Planner {
    /// What names the next date of a series.
    private static let nextName = "next"

    /// The date of a series that somebody names by its day, or by day and time where it has several
    /// dates a day: the day on which it was to be first, or on which it is now.
    ///
    /// - Throws: ``Refusal`` with `no_series`, `unknown_date` or `ambiguous_date`.
    func date(_ text: String, of meeting: Meeting) throws -> SeriesDate {
        let own = try zone(named: meeting.time.zone)
        guard meeting.series != nil else {
            throw Refusal(
                .refused, code: "no_series",
                "\(meeting.title) does not repeat: leave out the date.")
        }
        if text == Self.nextName, let next = meeting.nextDate(after: now, in: own) { return next }
        if case .wall? = CalendarStamp(text) {
            return try checkedDate(named: text, of: meeting, in: own)
        }
        let day = own.wallTime(at: try moment(text, dayMeans: .start)).date
        let found = meeting.coming(on: day, after: now, in: own)
        guard let first = found.first else { throw Self.unknownDate(text, of: meeting) }
        guard found.count == 1 else {
            throw Refusal(
                .refused, code: "ambiguous_date",
                "\(meeting.title) is more than once on that day. Name one: "
                    + found.map(\.name).joined(separator: ", ") + ".")
        }
        return first
    }

    private func checkedDate(
        named name: String, of meeting: Meeting, in zone: Zone
    ) throws(Refusal) -> SeriesDate {
        let found = meeting.dates(in: zone).lazy.prefix(Meeting.datesMax)
            .prefix { $0.name <= name }.first { $0.name == name }
        guard let found, found.time.endsAt > now else {
            throw Self.unknownDate(name, of: meeting)
        }
        return found
    }

    private static func unknownDate(_ text: String, of meeting: Meeting) -> Refusal {
        Refusal(
            .refused, code: "unknown_date",
            "\(meeting.title) has no date on \(text) that lies ahead.")
    }

    /// Changes one date of a series in a draft.
    ///
    /// - Parameters:
    ///   - text: the date.
    ///   - draft: the series.
    ///   - body: what becomes of the date.
    /// - Throws: ``Refusal``, or what `body` throws.
    func change(
        _ text: String, in draft: inout MeetingDraft,
        _ body: (inout DateChange, SeriesDate) throws -> Void
    ) throws {
        let date = try date(text, of: draft.meeting)
        guard date.isOn else {
            throw Refusal(
                .refused, code: "meeting_cancelled",
                "\(draft.meeting.title) on \(text) was cancelled; it cannot be changed any more.")
        }
        var change =
            date.change
            ?? DateChange(
                revision: draft.meeting.series?.revision ?? 1, sequence: draft.meeting.sequence)
        try body(&change, date)
        draft.meeting.series?.changes[date.name] = change
        let own = try zone(named: draft.meeting.time.zone)
        draft.date = draft.meeting.date(named: date.name, in: own)
        if let series = draft.meeting.series {
            draft.meeting.series?.endsAt = Meeting.lastEnd(
                of: series, from: draft.meeting.time, in: own)
        }
    }

    /// Gives one date of a series another time or another place.
    func edit(
        _ text: String, in draft: inout MeetingDraft, _ edit: MeetingEdit, place: MeetingPlace?
    ) throws {
        guard edit.title == nil, edit.note == nil, edit.link == nil, edit.reminders == nil else {
            throw Refusal(
                .invalid, code: "usage",
                "A single date has a time, a length and a place of its own; the rest is that of "
                    + "all.")
        }
        let meeting = draft.meeting
        try change(text, in: &draft) { change, date in
            if edit.start != nil || edit.duration != nil {
                change.time = try time(date.time, edited: edit)
            }
            if edit.place != nil || edit.placeText != nil {
                change.place = .other(try edit.place(of: meeting.on(date), chosen: place))
            }
        }
    }
}

extension Meeting {
    /// Dates that are not over, and were to be on a day, or are.
    fileprivate func coming(on day: CivilDate, after now: Moment, in zone: Zone) -> [SeriesDate] {
        let end = zone.moment(of: WallTime(date: day.adding(days: 1), time: .midnight))
        let near = dates(endingAfter: now, startingBefore: end, in: zone)
        let moved = (series?.changes ?? [:]).keys.sorted()
            .compactMap { date(named: $0, in: zone) }
            .filter { $0.time.startsAt >= end && $0.time.endsAt > now }
        return (near + moved).filter { date in
            date.time.start.date == day
                || CalendarStamp(date.name).map(\.day) == day
        }
    }
}

extension CalendarStamp {
    /// The day that is written.
    fileprivate var day: CivilDate {
        switch self {
        case .day(let date): date
        case .wall(let wall): wall.date
        case .utc(let moment): WallTime(secondsSince1970: moment.seconds).date
        }
    }
}
