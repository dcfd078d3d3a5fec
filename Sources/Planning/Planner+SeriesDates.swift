import Agenda
import Ledger
import Storage
import Timekeeping
import Wording

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
        if text == Self.nextName {
            guard let next = meeting.nextDate(after: now, in: own) else {
                throw Refusal(
                    .refused, code: "unknown_date", "No date of \(meeting.title) lies ahead.")
            }
            return next
        }
        if case .wall? = CalendarStamp(text) {
            return try checkedDate(named: text, of: meeting, in: own)
        }
        // Days are those of the meeting's clocks, or else of the reader's.
        let day = zone.wallTime(at: try moment(text, dayMeans: .start)).date
        let near = meeting.coming(near: day, after: now, in: own)
        let byOwn = near.filter { $0.time.start.date == day || $0.day == day }
        let found =
            byOwn.isEmpty
            ? near.filter { zone.wallTime(at: $0.time.startsAt).date == day } : byOwn
        guard let first = found.first else {
            let asked = own.moment(of: WallTime(date: day, time: .midnight))
            throw unknownDate(text, of: meeting, near: asked, in: own)
        }
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
        guard let found = meeting.date(named: name, in: zone),
            meeting.hasDate(named: name, in: zone), found.time.endsAt > now
        else {
            throw unknownDate(name, of: meeting, near: now, in: zone)
        }
        return found
    }

    private func unknownDate(
        _ text: String, of meeting: Meeting, near asked: Moment, in zone: Zone
    ) -> Refusal {
        let next =
            meeting.nextDate(after: max(asked, now), in: zone)
            ?? meeting.nextDate(after: now, in: zone)
        let hint = next.map { " There is one on \(TimeWords.date($0.time.start.date))." } ?? ""
        return Refusal(
            .refused, code: "unknown_date",
            "\(meeting.title) has no date on \(text) that lies ahead.\(hint)")
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

extension Meeting {
    /// Dates that are not over, and start before the day behind one has passed everywhere, or were
    /// to be on another day.
    fileprivate func coming(
        near day: CivilDate, after now: Moment, in zone: Zone
    ) -> [SeriesDate] {
        let end = zone.moment(of: WallTime(date: day.adding(days: 3), time: .midnight))
        let near = dates(endingAfter: now, startingBefore: end, in: zone)
        let moved = (series?.changes ?? [:]).keys.sorted()
            .compactMap { date(named: $0, in: zone) }
            .filter { $0.time.startsAt >= end && $0.time.endsAt > now }
        return near + moved
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
