/// The rule by which a time zone changes its clocks each year, in the form of the POSIX variable TZ
/// and of the footer of a TZif file: "EET-2EEST,M3.5.0/3,M10.5.0/4".
///
/// The hours of a change may be from -167 to 167, as in version 3 of RFC 8536.
struct PosixRule: Hashable, Sendable {
    let standard: LocalTimeType
    /// Nil if the clocks never change.
    let season: Season?

    /// The part of the year with daylight saving time.
    struct Season: Hashable, Sendable {
        let type: LocalTimeType
        let start: AnnualChange
        let end: AnnualChange
    }

    init(standard: LocalTimeType, season: Season? = nil) {
        guard let season, PosixRule.lastsAllYear(season, standard: standard) else {
            self.standard = standard
            self.season = season
            return
        }
        self.standard = season.type
        self.season = nil
    }

    /// True for a season that ends when the next one begins. Some footers describe permanent
    /// daylight saving time in this way.
    private static func lastsAllYear(_ season: Season, standard: LocalTimeType) -> Bool {
        [2003, 2004].allSatisfy { year in
            season.end.seconds(in: year, offset: season.type.offsetSeconds)
                >= season.start.seconds(in: year + 1, offset: standard.offsetSeconds)
        }
    }
}

/// A change of the clocks that occurs each year.
struct AnnualChange: Hashable, Sendable {
    enum Day: Hashable, Sendable {
        /// The day from 1 to 365, not counting 29 February.
        case julian(Int)
        /// The day from 0 to 365, counting 29 February.
        case ordinal(Int)
        /// A weekday, 0 for Sunday, in a week from 1 to 5 of a month; week 5 is the last.
        case weekday(month: Int, week: Int, weekday: Int)
    }

    let day: Day
    /// Seconds from the start of the day, on the clock before the change; may be negative or longer
    /// than the day.
    let timeSeconds: Int

    /// The second since 1970 UTC of the change in a year, given the offset before it.
    func seconds(in year: Int, offset: Int) -> Int64 {
        Int64(dayNumber(in: year) * CivilTime.secondsOfDay + timeSeconds - offset)
    }

    private func dayNumber(in year: Int) -> Int {
        switch day {
        case .julian(let number):
            let afterFebruary = CivilDate.isLeap(year: year) && number >= 60
            return CivilDate.dayNumber(year: year, month: 1, day: number)
                + (afterFebruary ? 1 : 0)
        case .ordinal(let number):
            return CivilDate.dayNumber(year: year, month: 1, day: number + 1)
        case .weekday(let month, let week, let weekday):
            let first = CivilDate.dayNumber(year: year, month: month, day: 1)
            let firstWeekday = (first + 4).dividedFloored(by: 7).remainder
            let day = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
            let isBeyond = day >= CivilDate.days(inMonth: month, ofYear: year)
            return first + (isBeyond ? day - 7 : day)
        }
    }
}

extension PosixRule {
    /// The maximum distance of a change from its year: a week and an offset.
    private static let straySeconds: Int64 = 8 * 86_400
    /// The time after which the clocks never change: the end of the calendar.
    private static let horizon = WallTime.range.upperBound

    private struct Change {
        let seconds: Int64
        let type: LocalTimeType
    }

    /// The local time type at a second since 1970 UTC.
    func type(at seconds: Int64) -> LocalTimeType {
        guard let season, seconds < PosixRule.horizon else { return standard }
        var year = PosixRule.year(near: seconds)
        for _ in 0..<4 {
            let (first, second) = changes(in: year, season)
            if second.seconds <= seconds { return second.type }
            if first.seconds <= seconds { return first.type }
            year -= 1
        }
        return standard
    }

    /// The period with unchanged clocks that contains a second since 1970 UTC.
    func stretch(at seconds: Int64) -> Stretch {
        guard let season else { return Stretch(start: .min, end: .max, type: standard) }
        guard seconds < PosixRule.horizon else {
            return Stretch(start: PosixRule.horizon, end: .max, type: standard)
        }
        var year = PosixRule.year(near: seconds)
        var end = min(changes(in: year + 1, season).first.seconds, PosixRule.horizon)
        for _ in 0..<4 {
            let (first, second) = changes(in: year, season)
            if second.seconds <= seconds {
                return Stretch(start: second.seconds, end: end, type: second.type)
            }
            end = min(end, second.seconds)
            if first.seconds <= seconds {
                return Stretch(start: first.seconds, end: end, type: first.type)
            }
            end = min(end, first.seconds)
            year -= 1
        }
        return Stretch(start: .min, end: end, type: standard)
    }

    /// The latest year whose changes may be before `seconds`.
    private static func year(near seconds: Int64) -> Int {
        WallTime(secondsSince1970: seconds.addingSaturated(straySeconds)).date.year
    }

    /// The two changes of a year in order of time.
    private func changes(in year: Int, _ season: Season) -> (first: Change, second: Change) {
        let start = Change(
            seconds: season.start.seconds(in: year, offset: standard.offsetSeconds),
            type: season.type)
        let end = Change(
            seconds: season.end.seconds(in: year, offset: season.type.offsetSeconds),
            type: standard)
        return start.seconds <= end.seconds ? (start, end) : (end, start)
    }
}
