import Timekeeping

/// The time of a meeting in the words of the user.
struct WrittenTime {
    /// The start; `nil` to keep it.
    var start: String?
    /// The end, instead of a duration. Of whole days, the last one.
    var end: String?
    /// The duration; `nil` to keep it.
    var duration: TimeSpan?
    /// True if the meeting lasts whole days: the start and the end are days.
    var isAllDay = false

    /// True if nothing is written.
    var isEmpty: Bool { start == nil && end == nil && duration == nil && !isAllDay }

    /// The same time, with the end apart from the start if both were typed together, as in
    /// "fri 19:00-22:00" or, for whole days, "28.5.-30.5.".
    ///
    /// - Parameter now: the wall-clock time of typing.
    /// - Returns: the time.
    /// - Throws: ``Refusal`` with `usage` if the end is given twice.
    func apart(now: WallTime) throws(Refusal) -> WrittenTime {
        var time = self
        if let start, let days = TypedDays(start, now: now) {
            guard end == nil, duration == nil else { throw Self.endTwice }
            (time.start, time.end, time.isAllDay) = (days.first, days.last, true)
            return time
        }
        if !isAllDay, let start, let period = TypedPeriod(start, now: now) {
            guard end == nil, duration == nil else { throw Self.endTwice }
            time.start = period.start
            time.end = period.end.shortText
        }
        guard time.end == nil || duration == nil else { throw Self.endTwice }
        return time
    }

    private static var endTwice: Refusal {
        Refusal(.invalid, code: "usage", "Give the end or the duration, and not both.")
    }
}
