extension CronExpression {
    /// A gap of at least this many seconds is a clock correction: skipped times do not run.
    static let gapSecondsMax: Int64 = 180 * 60
    /// Clocks set back by more than this many seconds are a clock correction: repeated times run
    /// twice.
    static let overlapSecondsMax: Int64 = 180 * 60

    /// The first moment after another one at which the line runs, in whole seconds; `nil` if there
    /// is none up to the year 9999.
    ///
    /// ```swift
    /// // 03:00 in the night of the gap
    /// try CronExpression("5 2 * * *").next(after: eve, in: newYork)
    /// ```
    ///
    /// - Parameters:
    ///   - moment: the moment to start after.
    ///   - zone: the time zone of the line.
    ///   - changes: the rule for times that are skipped or repeated when the clocks change.
    /// - Returns: a moment later than `moment`, whatever the clocks do.
    public func next(
        after moment: Moment, in zone: Zone, changes: ClockChanges = .debian
    ) -> Moment? {
        var stretch = zone.stretch(at: moment.seconds)
        var offsetBefore = zone.offset(before: stretch)
        // Times that are skipped before a later period run when that period begins, so all of them
        // are still ahead.
        var past = moment.seconds.addingSaturated(Int64(stretch.type.offsetSeconds))
        while true {
            let walls = walls(of: stretch, offsetBefore: offsetBefore, changes: changes)
            let offset = Int64(stretch.type.offsetSeconds)
            let first = max(walls.lowerBound, past.addingSaturated(1))
            if let wall = firstWall(from: first, before: walls.upperBound) {
                return Moment(seconds: max(stretch.start, wall - offset))
            }
            guard stretch.end < Self.secondsMax else { return nil }
            offsetBefore = offset
            past = .min
            stretch = zone.stretch(at: stretch.end)
        }
    }

    /// A second just after the end of the year 9999.
    private static let secondsMax: Int64 = 253_402_300_800

    /// The wall-clock seconds that count in a period with a constant offset. They include the times
    /// skipped by the change before it, if those run right after the gap. They exclude the times
    /// that were already shown before the change, if those count once.
    private func walls(
        of stretch: Stretch, offsetBefore: Int64, changes: ClockChanges
    ) -> Range<Int64> {
        let offset = Int64(stretch.type.offsetSeconds)
        let shown = stretch.start.addingSaturated(offset)
        let end = stretch.end.addingSaturated(offset)
        guard !followsClock else { return shown..<max(shown, end) }
        let expected = stretch.start.addingSaturated(offsetBefore)
        let skipped = shown.subtractingSaturated(expected)
        let isCorrection = skipped >= Self.gapSecondsMax || -skipped > Self.overlapSecondsMax
        let start =
            switch changes {
            case _ where isCorrection: shown
            case .debian: expected
            case .skip: max(shown, expected)
            case .both: min(shown, expected)
            }
        return start..<max(start, end)
    }

    /// The first matching wall-clock second from `first` on and before `end`. Only the first second
    /// of a matching minute matches.
    private func firstWall(from first: Int64, before end: Int64) -> Int64? {
        let start = (first.addingSaturated(59)).dividedFloored(by: 60).quotient
        let (dayNumber, minute) = start.dividedFloored(by: 1440)
        guard CivilDate.dayNumbers.contains(Int(clamping: dayNumber)) else {
            guard dayNumber < 0 else { return nil }
            return firstWall(
                from: Int64(CivilDate.dayNumbers.lowerBound) * 86_400, before: end)
        }
        var date = CronDate(dayNumber: Int(dayNumber))
        if days(of: date) >> UInt64(date.day) & 1 == 1, months >> UInt64(date.month) & 1 == 1,
            let time = firstTime(from: Int(minute))
        {
            let wall = dayNumber * 86_400 + Int64(time) * 60
            return wall < end ? wall : nil
        }
        guard let time = firstTime(from: 0), let day = firstDay(after: &date) else { return nil }
        let wall = Int64(day) * 86_400 + Int64(time) * 60
        return wall < end ? wall : nil
    }

    /// The first matching minute of a day, from `minute` on.
    private func firstTime(from minute: Int) -> Int? {
        let (hour, rest) = minute.quotientAndRemainder(dividingBy: 60)
        if hours >> UInt64(hour) & 1 == 1, let later = minutes.firstBit(from: rest) {
            return hour * 60 + later
        }
        guard let next = hours.firstBit(from: hour + 1), let first = minutes.firstBit(from: 0)
        else {
            return nil
        }
        return next * 60 + first
    }

    /// The day number of the first matching day after a date.
    private func firstDay(after date: inout CronDate) -> Int? {
        var from = date.day + 1
        while date.year <= CivilDate.years.upperBound {
            if months >> UInt64(date.month) & 1 == 1, let day = days(of: date).firstBit(from: from)
            {
                return date.firstDayNumber + day - 1
            }
            date.goToNextMonth()
            from = 1
        }
        return nil
    }

    private func days(of date: CronDate) -> UInt64 {
        days.bits(inMonthOf: date.length, beginningOn: date.firstWeekday)
    }
}

extension Zone {
    /// The offset before a period in seconds; the period's own offset if it is the first one.
    fileprivate func offset(before stretch: Stretch) -> Int64 {
        let before = stretch.start == .min ? stretch : self.stretch(at: stretch.start - 1)
        return Int64(before.type.offsetSeconds)
    }
}

extension UInt64 {
    /// The position of the first bit that is set, from `bit` on.
    fileprivate func firstBit(from bit: Int) -> Int? {
        let rest = bit > 63 ? 0 : self & (.max << UInt64(bit))
        return rest == 0 ? nil : rest.trailingZeroBitCount
    }
}

/// A day, with the values needed to find the next matching day.
private struct CronDate {
    private(set) var year: Int
    private(set) var month: Int
    let day: Int
    /// The day number of the first day of the month.
    private(set) var firstDayNumber: Int

    init(dayNumber: Int) {
        let date = CivilDate(dayNumber: dayNumber)
        (year, month, day) = (date.year, date.month, date.day)
        firstDayNumber = dayNumber - date.day + 1
    }

    var length: Int { CivilDate.days(inMonth: month, ofYear: year) }

    /// The weekday of the first day of the month, 0 for Sunday.
    var firstWeekday: Int { (firstDayNumber + 4).dividedFloored(by: 7).remainder }

    mutating func goToNextMonth() {
        firstDayNumber += length
        (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
    }
}
