import Planning
import Timekeeping

/// The days on which a reader sees a meeting.
struct MeetingDays: Equatable, Sendable {
    /// The first day.
    let first: CivilDate
    /// The last day, which is included.
    let last: CivilDate

    /// The hours after midnight that belong to the day before: who dances until 5:00 is out on one
    /// day, and who comes back at 10:00 was away on two.
    private static let nightMilliseconds: Int64 = 6 * 3_600_000

    /// The days of a meeting.
    ///
    /// - Parameters:
    ///   - whole: the days that it fills, which are the same for readers in all time zones; `nil`
    ///     if it has a time of day.
    ///   - start: its start.
    ///   - end: its end.
    ///   - zone: the time zone of the reader.
    init(_ whole: WholeDays?, from start: Moment, to end: Moment, in zone: Zone) {
        guard let whole else {
            first = zone.wallTime(at: start).date
            let lastHour = end.advanced(byMilliseconds: -Self.nightMilliseconds - 1)
            last = max(first, zone.wallTime(at: lastHour).date)
            return
        }
        (first, last) = (whole.first, whole.last)
    }

    /// The number of days.
    var count: Int { number(of: last) }

    /// The number of a day, counted from 1 for the first.
    func number(of day: CivilDate) -> Int { day.daysSince1970 - first.daysSince1970 + 1 }

    /// True if the meeting is on a day.
    func contains(_ day: CivilDate) -> Bool { first <= day && day <= last }
}

extension MeetingLine {
    /// The days on which a reader in a time zone sees it.
    func shownDays(in zone: Zone) -> MeetingDays {
        MeetingDays(days, from: start.moment, to: end.moment, in: zone)
    }
}
