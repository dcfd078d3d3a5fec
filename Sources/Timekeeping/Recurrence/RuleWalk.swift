/// An iterator over the occurrences of a rule in wall-clock time, in seconds since
/// 1970-01-01T00:00:00 on the same clock.
///
/// The first occurrence is the start, even if the rule does not name it (RFC 5545, 3.8.5.3). The
/// iteration ends with the calendar, or if no further occurrence is possible.
struct RuleWalk: IteratorProtocol {
    private let rule: RecurrenceRule
    private let days: RecurrenceDays
    private let times: RecurrenceTimes
    private let start: Int
    /// The current step: a number of seconds, days, weeks or months.
    private var step: Int
    /// The length in seconds of a step shorter than a day; 0 for other steps.
    private let unit: Int
    /// The last second of the calendar.
    private static let last = CivilDate.dayNumbers.upperBound * CivilTime.secondsOfDay + 86_399
    /// The maximum number of empty steps in a row: more than the calendar has days.
    private static let emptyStepsMax = 10_000_000
    /// The longest gap between two occurrences of a rule with steps shorter than a day, in seconds:
    /// 100 years.
    private static let gapMax = 100 * 366 * CivilTime.secondsOfDay
    /// The number of empty steps after which it is worth checking whether an occurrence is possible
    /// at all.
    private static let emptyStepsFew = 1000

    /// The starts of the days in the current step, or the start of the step itself if it is shorter
    /// than a day.
    private var bases: [Int] = []
    /// The selected combinations of bases and times; `nil` for all of them.
    private var picks: [Int]?
    /// The number of combinations that have been returned.
    private var cursor = 0
    private var isStarted = false
    /// The number of steps without an occurrence so far.
    private(set) var emptySteps = 0
    /// True if the start is the only occurrence.
    private var isSingle = false

    init(_ rule: RecurrenceRule, from start: WallTime) {
        self.rule = rule
        days = RecurrenceDays(rule, from: start.date)
        times = RecurrenceTimes(rule, from: start.time)
        self.start = Int(start.secondsSince1970)
        unit =
            switch rule.frequency {
            case .secondly: 1
            case .minutely: 60
            case .hourly: 3600
            default: 0
            }
        step = 0
        step = stepNumber(of: self.start)
        if rule.frequency == .weekly {
            step -= (RecurrenceDays.weekday(step) - rule.weekStart.rawValue + 8) % 7
        }
    }

    mutating func next() -> Int? {
        guard isStarted else {
            isStarted = true
            _ = fill()
            isSingle = !hasPositions
            return start
        }
        return nextNamed(from: start + 1)
    }

    /// True if each step has exactly one occurrence, so that steps and occurrences can be counted
    /// together.
    var isEven: Bool { rule.frequency <= .weekly && rule.isBare }

    /// Skips the steps long before a second, at most a few steps too little.
    ///
    /// - Returns: the number of skipped occurrences, if ``isEven`` is true.
    mutating func skip(before second: Int) -> Int {
        guard second > start, !isStarted else { return 0 }
        isStarted = true
        isSingle = !hasPositions
        // A step may name days a little before or after itself.
        let missing = (stepNumber(of: min(second, Self.last)) - step) / stride - 2
        step += max(0, missing) * stride
        _ = fill()
        return max(1, missing)
    }

    /// True if the number of occurrences that ``leap(before:)`` skips is known.
    var countsLeaps: Bool { unit == 0 ? picks == nil : isEven }

    /// Skips the rest of a day: with steps shorter than a day, all steps but the last one before
    /// `second`; with other steps, the remaining times of the current day.
    ///
    /// - Parameter second: the start of the next day.
    /// - Returns: the number of skipped occurrences, if it is known.
    mutating func leap(before second: Int) -> Int {
        guard isStarted else { return 0 }
        guard unit > 0 else { return leaveBase() }
        let missing = (stepNumber(of: min(second, Self.last)) - 1 - step) / stride
        guard missing > 0 else { return 0 }
        step += missing * stride
        bases = []
        picks = picks.map { _ in [] }
        return missing
    }

    private mutating func leaveBase() -> Int {
        let count = times.seconds.count
        guard picks == nil, !cursor.isMultiple(of: count) else { return 0 }
        let left = count - cursor % count
        cursor += left
        return left
    }

    /// The distance between two consecutive steps.
    private var stride: Int { rule.frequency == .weekly ? 7 * rule.interval : rule.interval }

    /// The number of the step that contains a second; for weekly rules, the number of its day.
    private func stepNumber(of second: Int) -> Int {
        let date = WallTime(secondsSince1970: Int64(second)).date
        return switch rule.frequency {
        case .secondly, .minutely, .hourly: second.dividedFloored(by: unit).quotient
        case .daily, .weekly: date.daysSince1970
        case .monthly: date.year * 12 + date.month - 1
        case .yearly: date.year
        }
    }

    /// The first time that the rule names; the start only if the rule names it. The walk itself
    /// does not move.
    func firstNamed() -> Int? {
        var walk = self
        _ = walk.fill()
        return walk.nextNamed(from: start)
    }

    private mutating func nextNamed(from least: Int) -> Int? {
        while true {
            while let second = nextOfStep() {
                if second >= least { return second <= Self.last ? second : nil }
            }
            guard !isSingle, advance() else { return nil }
        }
    }

    /// The next time in the current step.
    private mutating func nextOfStep() -> Int? {
        defer { cursor += 1 }
        if let picks {
            return cursor < picks.count ? second(picks[cursor]) : nil
        }
        return cursor < bases.count * times.seconds.count ? second(cursor) : nil
    }

    private func second(_ place: Int) -> Int {
        let count = times.seconds.count
        guard count > 1 else { return bases[place] + times.seconds[0] }
        return bases[place / count] + times.seconds[place % count]
    }

    /// Moves to the next step that is not empty.
    private mutating func advance() -> Bool {
        let first = step
        for count in 0..<Self.emptyStepsMax {
            if count == Self.emptyStepsFew, unit > 0, !meetsWeek { return false }
            step += stride
            guard isInCalendar, step - first <= period, (step - first) * unit <= Self.gapMax
            else { return false }
            if fill() { return true }
            emptySteps += 1
        }
        return false
    }

    /// The steps after which everything repeats: the least common multiple of a step and 400 years,
    /// after which the Gregorian calendar has the same dates on the same weekdays.
    private var period: Int {
        let cycle =
            switch rule.frequency {
            case .yearly: 400
            case .monthly: 4800
            case .weekly, .daily: Self.cycleDays
            case .hourly, .minutely, .secondly: Self.cycleDays * CivilTime.secondsOfDay / unit
            }
        let factor = stride / Self.greatestDivisor(stride, cycle)
        let (period, overflows) = cycle.multipliedReportingOverflow(by: factor)
        return overflows ? .max : period
    }

    /// The days of 400 years.
    private static let cycleDays = 146_097

    private var isInCalendar: Bool {
        switch rule.frequency {
        case .yearly: step <= CivilDate.years.upperBound
        case .monthly: step / 12 <= CivilDate.years.upperBound
        case .weekly, .daily: step <= CivilDate.dayNumbers.upperBound
        case .hourly, .minutely, .secondly: step <= Self.last / unit
        }
    }

    /// Computes the times of the current step.
    ///
    /// - Returns: true if there are any.
    private mutating func fill() -> Bool {
        bases.removeAll(keepingCapacity: true)
        cursor = 0
        switch rule.frequency {
        case .yearly: days.append(year: step, to: &bases)
        case .monthly: days.append(month: step % 12 + 1, of: step / 12, to: &bases)
        case .weekly: fillWeek()
        case .daily: fillDay()
        case .hourly, .minutely, .secondly: fillShortStep()
        }
        if unit == 0 {
            for place in bases.indices { bases[place] *= CivilTime.secondsOfDay }
        }
        if !rule.positions.isEmpty { pick() }
        return !bases.isEmpty && picks?.isEmpty != true
    }

    private mutating func fillWeek() {
        for number in 0..<7
        where days.week >> UInt8((rule.weekStart.rawValue - 1 + number) % 7) & 1 == 1 {
            if days.letsMonth(of: step + number) { bases.append(step + number) }
        }
    }

    private mutating func fillDay() {
        if days.isEveryDay || days.contains(step) {
            bases.append(step)
        } else {
            skip(days.candidate(after: step) - step)
        }
    }

    /// Takes the current step if it is allowed. Otherwise moves to the last step before the next
    /// one that may be allowed.
    private mutating func fillShortStep() {
        let second = step * unit
        let (day, ofDay) = second.dividedFloored(by: CivilTime.secondsOfDay)
        if !days.isEveryDay, !days.contains(day) {
            let next = days.candidate(after: day) * CivilTime.secondsOfDay
            return skip((next - second + unit - 1) / unit)
        }
        let wait = times.filter.wait(at: ofDay)
        if wait == 0 {
            bases.append(second)
        } else {
            skip((wait + unit - 1) / unit)
        }
    }

    /// Moves so far that the next step is the first one at least `missing` units ahead.
    private mutating func skip(_ missing: Int) {
        step += (missing - 1) / rule.interval * rule.interval
    }

    /// True if short steps can meet any allowed second of a week. All weeks have the same length,
    /// so the steps meet only seconds whose distance is a multiple of the greatest common divisor
    /// of step and week.
    private var meetsWeek: Bool {
        let week = 7 * CivilTime.secondsOfDay / unit
        let distance = Self.greatestDivisor(rule.interval, week)
        // The first day of 1970 was a Thursday.
        let first = (step + 3 * CivilTime.secondsOfDay / unit).dividedFloored(by: distance)
        return Swift.stride(from: first.remainder, to: week, by: distance).contains { place in
            let (day, ofDay) = (place * unit).dividedFloored(by: CivilTime.secondsOfDay)
            return (days.week == 0 || days.week >> UInt8(day) & 1 == 1)
                && times.filter.wait(at: ofDay) == 0
        }
    }

    private static func greatestDivisor(_ one: Int, _ other: Int) -> Int {
        var (left, right) = (one, other)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }

    /// True if a step can have enough occurrences for one of the positions (BYSETPOS).
    private var hasPositions: Bool {
        guard let least = rule.positions.map(abs).min() else { return true }
        let daysMax =
            switch rule.frequency {
            case .hourly, .minutely, .secondly, .daily: 1
            case .weekly: days.week.nonzeroBitCount
            case .monthly: 31
            case .yearly: 366
            }
        return least <= daysMax * times.seconds.count
    }

    /// Selects the occurrences of the current step at the given positions (BYSETPOS).
    private mutating func pick() {
        let count = bases.count * times.seconds.count
        var chosen = picks ?? []
        chosen.removeAll(keepingCapacity: true)
        for position in rule.positions {
            let place = position > 0 ? position - 1 : count + position
            if (0..<count).contains(place) { chosen.append(place) }
        }
        chosen.sort()
        picks = chosen.withoutRepetitions
    }
}
