extension RecurrenceRule {
    /// The rule of a series of one date, to which single dates are added: `FREQ=DAILY;COUNT=1`.
    public static var once: RecurrenceRule {
        var rule = RecurrenceRule(.daily)
        rule.end = .count(1)
        return rule
    }

    /// The rule in words: "every 2nd Tuesday until 3 March 2027", "every month on the last Friday,
    /// 10 times".
    ///
    /// If ``init(typed:from:)`` accepts the words, it reads the same rule from them.
    public var words: String {
        guard self != .once else { return "on single dates" }
        let parts = [steps, placeWords, monthWords, timeWords, positionWords, weekStartWords]
        return parts.filter { !$0.isEmpty }.joined(separator: " ") + endWords
    }

    /// The step: "every 2nd week", or "every 2nd Tuesday" if weekdays are enough.
    private var steps: String {
        let nth = interval == 1 ? "" : "\(Self.ordinal(interval)) "
        guard frequency == .weekly, !days.isEmpty else { return "every \(nth)\(unitName)" }
        let names = Self.isWorkdays(days) ? "weekdays" : Self.sentence(days.map(\.weekday.name))
        if interval == 1 { return Self.isWorkdays(days) ? "every weekday" : "every \(names)" }
        // "Every 2nd Tuesday in July" would be the second one of the month.
        guard days.count == 1, months.isEmpty, positions.isEmpty else {
            return "every \(nth)week on \(names)"
        }
        return "every \(nth)\(names)"
    }

    private var unitName: String {
        switch frequency {
        case .secondly: "second"
        case .minutely: "minute"
        case .hourly: "hour"
        case .daily: "day"
        case .weekly: "week"
        case .monthly: "month"
        case .yearly: "year"
        }
    }

    /// A list of days in words: as the days of a step, and as a condition on other days.
    private struct DayList {
        let all: String
        let any: String
    }

    /// The days of a step. If steps contain days, the first list names them, and the other lists
    /// are conditions on them.
    private var placeWords: String {
        let lists = dayLists
        guard frequency > .daily, let first = lists.first else { return Self.conditions(lists) }
        let conditions = Self.conditions(lists.dropFirst())
        return conditions.isEmpty ? first.all : "\(first.all) \(conditions)"
    }

    private static func conditions(_ lists: some Sequence<DayList>) -> String {
        lists.map { "if it is \($0.any)" }.joined(separator: " and ")
    }

    private var dayLists: [DayList] {
        var lists: [DayList] = []
        let hasDays = frequency != .weekly && !days.isEmpty
        let isOfWeeks = hasDays && !weekNumbers.isEmpty && monthDays.isEmpty && yearDays.isEmpty
        if !weekNumbers.isEmpty {
            let ofWeek = isOfWeeks ? " on \(Self.names(days, by: "and"))" : ""
            lists.append(DayList(all: weekWords + ofWeek, any: ""))
        }
        if !yearDays.isEmpty {
            let any = "the \(Self.places(yearDays, by: "or")) day of the year"
            lists.append(DayList(all: "on the \(Self.places(yearDays)) day of the year", any: any))
        }
        if !monthDays.isEmpty {
            lists.append(DayList(all: "on \(allMonthDays)", any: monthDayWords(by: "or")))
        }
        if hasDays, !isOfWeeks {
            lists.append(DayList(all: "on \(allWeekdays)", any: weekdayWords(by: "or")))
        }
        return lists
    }

    /// Words such as "in week 20 and the last week".
    private var weekWords: String {
        let weeks = weekNumbers.filter { $0 > 0 } + weekNumbers.filter { $0 < 0 }
        let names = weeks.map { $0 > 0 ? "week \($0)" : "the \(Self.place($0)) week" }
        return "in \(Self.sentence(names))"
    }

    /// Words such as "29 February" or "the 1st and 15th"; "the 5th of every month" if the frequency
    /// is not monthly.
    private var allMonthDays: String {
        if isOfDate { return "\(monthDays[0]) \(Month.name(months[0]))" }
        let isOfEach = frequency == .yearly && months.isEmpty
        return monthDayWords(by: "and") + (isOfEach ? " of every month" : "")
    }

    /// True if month and day make a single date, for example 29 February.
    private var isOfDate: Bool {
        frequency == .yearly && months.count == 1 && monthDays.count == 1 && monthDays[0] > 0
            && yearDays.isEmpty && weekNumbers.isEmpty
    }

    private func monthDayWords(by link: String) -> String {
        let isFromEnd = monthDays.contains { $0 < 0 }
        return "the \(Self.places(monthDays, by: link))\(isFromEnd ? " day" : "")"
    }

    /// Words such as "every Monday", "the last Friday" or "the last weekday".
    private var allWeekdays: String {
        if picksWorkdays {
            let isOfYear = frequency == .yearly && months.isEmpty
            return "the \(Self.places(positions)) weekday\(isOfYear ? " of the year" : "")"
        }
        let isPlaced = days.contains { $0.place != 0 }
        if !isPlaced, Self.isWorkdays(days) { return "every weekday" }
        return "\(isPlaced ? "" : "every ")\(weekdayWords(by: "and"))"
    }

    private func weekdayWords(by link: String) -> String {
        let isOfYear = frequency == .yearly && months.isEmpty && days.contains { $0.place != 0 }
        return Self.names(days, by: link) + (isOfYear ? " of the year" : "")
    }

    /// True if positions select only from the weekdays (Monday to Friday) of a month or a year.
    private var picksWorkdays: Bool {
        let others = [monthDays, yearDays, weekNumbers, hours, minutes, seconds]
        return !positions.isEmpty && Self.isWorkdays(days) && others.allSatisfy(\.isEmpty)
            && (frequency == .monthly || frequency == .yearly && months.count <= 1)
    }

    private static func isWorkdays(_ days: [Day]) -> Bool {
        days == PhraseDays.workdays.map { Day($0) }
    }

    private static func names(_ days: [Day], by link: String) -> String {
        let names = days.map {
            $0.place == 0 ? $0.weekday.name : "the \(place($0.place)) \($0.weekday.name)"
        }
        return sentence(names, by: link)
    }

    /// Words such as "in July"; "only in July" if the steps are not steps of July.
    private var monthWords: String {
        guard !months.isEmpty, !isOfDate else { return "" }
        let isOfSteps = frequency == .yearly || frequency != .monthly && interval == 1
        return "\(isOfSteps ? "" : "only ")in \(Self.sentence(months.map { Month.name($0) }))"
    }

    /// Words such as "at 9:00 and 17:00".
    private var timeWords: String {
        guard !hours.isEmpty, frequency > .hourly, seconds.isEmpty,
            hours.count * max(1, minutes.count) <= 6
        else { return timeLists }
        let times = hours.flatMap { hour in
            (minutes.isEmpty ? [nil] : minutes.map(Optional.some)).map { minute in
                minute.map { "\(hour):\($0 < 10 ? "0" : "")\($0)" } ?? "hour \(hour)"
            }
        }
        return "at \(Self.sentence(times))"
    }

    /// Words such as "at minute 5 and 35 if the hour is 9 or 17". A unit that is as long as a step,
    /// or longer, is a condition on the steps.
    private var timeLists: String {
        let lists: [(name: String, numbers: [Int], step: Frequency)] = [
            ("hour", hours, .hourly), ("minute", minutes, .minutely),
            ("second", seconds, .secondly),
        ]
        let filled = lists.filter { !$0.numbers.isEmpty }
        let laid = filled.filter { $0.step < frequency }.map { list in
            "\(list.name) \(Self.sentence(list.numbers.map(String.init)))"
        }
        let picked = filled.filter { $0.step >= frequency }.map { list in
            "if the \(list.name) is \(Self.sentence(list.numbers.map(String.init), by: "or"))"
        }
        let at = laid.isEmpty ? [] : ["at \(laid.joined(separator: ", "))"]
        return (at + picked).joined(separator: " ")
    }

    private var positionWords: String {
        positions.isEmpty || picksWorkdays ? "" : "(the \(Self.places(positions)) of these)"
    }

    /// The first day of the week, if it matters and is not Monday.
    private var weekStartWords: String {
        let isOfWeeks = frequency == .weekly && (interval > 1 || !positions.isEmpty)
        let matters = isOfWeeks || !weekNumbers.isEmpty
        return matters && weekStart != .monday ? "with weeks from \(weekStart.name)" : ""
    }

    private var endWords: String {
        switch end {
        case .never: ""
        case .count(let count): count == 1 ? ", once" : ", \(count) times"
        case .until(.day(let date)): " until \(date.inWords)"
        case .until(.wall(let wall)): " until \(wall.date.inWords), \(wall.time.shortText)"
        case .until(.utc(let moment)): " until \(Self.words(of: moment))"
        }
    }

    private static func words(of moment: Moment) -> String {
        let wall = WallTime(secondsSince1970: moment.seconds)
        return "\(wall.date.inWords), \(wall.time.shortText) UTC"
    }

    /// Words such as "1st, 2nd and last".
    private static func places(_ numbers: [Int], by link: String = "and") -> String {
        let ascending = numbers.filter { $0 > 0 } + numbers.filter { $0 < 0 }
        return sentence(ascending.map(place), by: link)
    }

    /// A place in words: "2nd", "last", "2nd to last".
    private static func place(_ number: Int) -> String {
        guard number < 0 else { return ordinal(number) }
        return number == -1 ? "last" : "\(ordinal(-number)) to last"
    }

    static func ordinal(_ number: Int) -> String {
        let ending =
            switch (number % 10, number % 100) {
            case (_, 11...13): "th"
            case (1, _): "st"
            case (2, _): "nd"
            case (3, _): "rd"
            default: "th"
            }
        return "\(number)\(ending)"
    }

    private static func sentence(_ words: [String], by link: String = "and") -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return "\(words.dropLast().joined(separator: ", ")) \(link) \(last)"
    }
}
