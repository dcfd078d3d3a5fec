/// The occurrences of a rule by the clock on the wall, one after the other: seconds since
/// 1970-01-01T00:00:00 of that clock.
///
/// The first is the start, whether the rule names it or not: it is the first of what recurs
/// (RFC 5545, 3.8.5.3). It ends with the calendar, and where so many steps in a row have nothing
/// that nothing more will come.
struct RuleWalk: IteratorProtocol {
    private let rule: RecurrenceRule
    private let days: RecurrenceDays
    private let times: RecurrenceTimes
    private let start: Int
    /// Where the start's step lies: a number of seconds, days, weeks or months.
    private var step: Int
    /// How long a step is that is shorter than a day, in seconds; 0 for others.
    private let unit: Int
    /// The last second of the calendar.
    private static let last = CivilDate.dayNumbers.upperBound * CivilTime.secondsOfDay + 86_399
    /// How many steps in a row may have nothing: more than the calendar has days.
    private static let emptyStepsMax = 10_000_000

    /// Where the days of this step begin, or the step itself where it is shorter.
    private var bases: [Int] = []
    /// Which of all that the bases and the times make are meant; `nil` for all.
    private var picks: [Int]?
    /// How many of these have gone by.
    private var cursor = 0
    private var isStarted = false

    init(_ rule: RecurrenceRule, from start: WallTime) {
        self.rule = rule
        days = RecurrenceDays(rule, from: start.date)
        times = RecurrenceTimes(rule, from: start.time)
        self.start = Int(start.secondsSince1970)
        let day = start.date.daysSince1970
        unit =
            switch rule.frequency {
            case .secondly: 1
            case .minutely: 60
            case .hourly: 3600
            default: 0
            }
        step =
            switch rule.frequency {
            case .secondly, .minutely, .hourly: self.start.dividedFloored(by: unit).quotient
            case .daily: day
            case .weekly: day - (RecurrenceDays.weekday(day) - rule.weekStart.rawValue + 8) % 7
            case .monthly: start.date.year * 12 + start.date.month - 1
            case .yearly: start.date.year
            }
    }

    mutating func next() -> Int? {
        guard isStarted else {
            isStarted = true
            _ = fill()
            return start
        }
        return nextNamed(from: start + 1)
    }

    /// The first that the rule names, the start among them only where it does. It is no part of the
    /// walk.
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
            guard advance() else { return nil }
        }
    }

    /// The next one in this step.
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

    /// Goes on to the next step that has something.
    private mutating func advance() -> Bool {
        for _ in 0..<Self.emptyStepsMax {
            if unit == 0 {
                step += rule.frequency == .weekly ? 7 * rule.interval : rule.interval
            } else {
                step += rule.interval
            }
            guard isInCalendar else { return false }
            if fill() { return true }
        }
        return false
    }

    private var isInCalendar: Bool {
        switch rule.frequency {
        case .yearly: step <= CivilDate.years.upperBound
        case .monthly: step / 12 <= CivilDate.years.upperBound
        case .weekly, .daily: step <= CivilDate.dayNumbers.upperBound
        case .hourly, .minutely, .secondly: step <= Self.last / unit
        }
    }

    /// Lays out what this step has.
    ///
    /// - Returns: whether it has anything.
    private mutating func fill() -> Bool {
        bases.removeAll(keepingCapacity: true)
        cursor = 0
        switch rule.frequency {
        case .yearly: days.append(year: step, to: &bases)
        case .monthly: days.append(month: step % 12 + 1, of: step / 12, to: &bases)
        case .weekly: fillWeek()
        case .daily: if days.isEveryDay || days.contains(step) { bases.append(step) }
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

    /// Takes the step where it is let through; else goes on to the last one before the next that
    /// may be.
    private mutating func fillShortStep() {
        let second = step * unit
        let (day, ofDay) = second.dividedFloored(by: CivilTime.secondsOfDay)
        let filter = times.filter
        if !days.isEveryDay, !days.contains(day) {
            skip(past: (day + 1) * CivilTime.secondsOfDay)
        } else if filter.hours != 0, filter.hours >> UInt64(ofDay / 3600) & 1 == 0 {
            skip(past: second - ofDay % 3600 + 3600)
        } else if filter.minutes != 0, filter.minutes >> UInt64(ofDay / 60 % 60) & 1 == 0 {
            skip(past: second - ofDay % 60 + 60)
        } else if filter.seconds == 0 || filter.seconds >> UInt64(ofDay % 60) & 1 == 1 {
            bases.append(second)
        }
    }

    /// Goes on so far that the next step is the first that does not begin before a second.
    private mutating func skip(past second: Int) {
        let missing = (second - step * unit + unit - 1) / unit
        step += (missing - 1) / rule.interval * rule.interval
    }

    /// Picks what the positions name (BYSETPOS) of what the step has.
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
