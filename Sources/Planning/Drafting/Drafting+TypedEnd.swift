import Agenda
import Timekeeping
import Wording

/// The end of a meeting, typed instead of its duration.
extension Drafting {
    /// The length of a meeting from its start to a typed end. A weekday, or a day without a year,
    /// is the next one from the start on. A time without a day is the next one after the start, if
    /// it is on the same day or follows within the hours of ``TypedPeriod/nightHoursMax``.
    ///
    /// - Parameters:
    ///   - start: the start.
    ///   - text: the end as the user typed it.
    ///   - zone: the time zone of the meeting.
    /// - Returns: the length.
    /// - Throws: ``Refusal`` with `bad_end` and others.
    func length(from start: WallTime, to text: String, in zone: Zone) throws -> TimeSpan {
        var end = try end(text, from: start, in: zone)
        if end <= start, end.date == start.date, isTimeAlone(text, from: start, in: zone) {
            end = try onNextDay(end, from: start)
        }
        let seconds = zone.moment(of: end).milliseconds(since: zone.moment(of: start)) / 1000
        guard seconds > 0 else {
            throw Refusal(
                .invalid, code: "bad_end",
                "The end, \(Self.words(end)), is not after the start, \(Self.words(start)).")
        }
        return TimeSpan(days: 0, seconds: Int(seconds))
    }

    private static func words(_ wall: WallTime) -> String {
        "\(TimeWords.date(wall.date)), \(wall.time.shortText)"
    }

    /// Reads an end. If the next such day from the start on is too far, the next one from today is
    /// meant.
    private func end(
        _ text: String, from start: WallTime, in zone: Zone
    ) throws(Refusal) -> WallTime {
        let end = try wallTime(text, in: zone, now: now, ownDay: OwnDay(ofStart: start.date))
        guard end > start.adding(days: MeetingRules.durationDaysMax) else { return end }
        return min(end, try wallTime(text, in: zone, now: now, ownDay: OwnDay(start.date)))
    }

    /// True if a text names a time of day and no day, so that its meaning follows the day of the
    /// start.
    private func isTimeAlone(_ text: String, from start: WallTime, in zone: Zone) -> Bool {
        let typedAt = zone.wallTime(at: now)
        let meanings = [1, 2].map { days in
            try? TypedTime.parse(
                text, now: typedAt, ownDay: OwnDay(start.date.adding(days: days)))
        }
        return meanings[0] != meanings[1]
    }

    /// An end at a time of day before that of the start, on the day after it.
    private func onNextDay(_ end: WallTime, from start: WallTime) throws(Refusal) -> WallTime {
        let next = end.adding(days: 1)
        let seconds =
            CivilTime.secondsOfDay + end.time.secondsSinceMidnight
            - start.time.secondsSinceMidnight
        guard seconds > TypedPeriod.nightHoursMax * 3600, end.time != .midnight else { return next }
        let (first, last) = (start.time.shortText, end.time.shortText)
        let problem = last == first ? "the same as" : "before"
        throw Refusal(
            .invalid, code: "bad_end",
            "The end \(last) is \(problem) the start \(first). To end on the next day, write its "
                + "day, too, such as \"\(next.date) \(last)\".")
    }
}
