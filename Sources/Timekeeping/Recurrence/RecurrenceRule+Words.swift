extension RecurrenceRule {
    /// When something recurs by the rule, in words: "every 2nd Tuesday until 3 March 2027",
    /// "every month on the last Friday, 10 times".
    public var words: String {
        let parts = [steps, placeWords, monthWords, timeWords, positionWords]
        return parts.filter { !$0.isEmpty }.joined(separator: " ") + endWords
    }

    /// "every 2nd week", or, where one day of the week says it all, "every 2nd Tuesday".
    private var steps: String {
        if frequency == .weekly, !days.isEmpty {
            let nth = interval == 1 ? "" : "\(Self.ordinal(interval)) "
            let names = Self.sentence(days.map(\.weekday.name))
            switch days.map(\.weekday.rawValue) {
            case Array(1...5):
                return interval == 1 ? "every weekday" : "every \(nth)week on weekdays"
            case _ where interval == 1 || days.count == 1: return "every \(nth)\(names)"
            default: return "every \(nth)week on \(names)"
            }
        }
        let unit =
            switch frequency {
            case .secondly: "second"
            case .minutely: "minute"
            case .hourly: "hour"
            case .daily: "day"
            case .weekly: "week"
            case .monthly: "month"
            case .yearly: "year"
            }
        return interval == 1 ? "every \(unit)" : "every \(Self.ordinal(interval)) \(unit)"
    }

    /// The days of a step.
    private var placeWords: String {
        var parts: [String] = []
        if !weekNumbers.isEmpty { parts.append("in week \(Self.places(weekNumbers, bare: true))") }
        if !yearDays.isEmpty { parts.append("on the \(Self.places(yearDays)) day of the year") }
        if !monthDays.isEmpty { parts.append("on \(monthDayWords)") }
        if frequency != .weekly, !days.isEmpty {
            let isCondition = !monthDays.isEmpty
            parts.append("\(isCondition ? "if it is" : "on") \(Self.dayWords(days))")
        }
        return parts.joined(separator: " ")
    }

    private var monthDayWords: String {
        monthDays == [-1] ? "the last day" : "the \(Self.places(monthDays))"
    }

    /// "the 2nd Tuesday and the last Friday".
    private static func dayWords(_ days: [Day]) -> String {
        sentence(
            days.map {
                $0.place == 0 ? $0.weekday.name : "the \(place($0.place)) \($0.weekday.name)"
            })
    }

    private var monthWords: String {
        guard !months.isEmpty else { return "" }
        return "in \(Self.sentence(months.map { Month.name($0) }))"
    }

    /// "at 9:00 and 17:00".
    private var timeWords: String {
        guard !hours.isEmpty || !minutes.isEmpty || !seconds.isEmpty else { return "" }
        guard !hours.isEmpty, seconds.isEmpty, hours.count * max(1, minutes.count) <= 6 else {
            let lists = [("hour", hours), ("minute", minutes), ("second", seconds)]
            let words = lists.filter { !$0.1.isEmpty }.map { name, numbers in
                "\(name) \(Self.sentence(numbers.map(String.init)))"
            }
            return "at \(words.joined(separator: ", "))"
        }
        let times = hours.flatMap { hour in
            (minutes.isEmpty ? [nil] : minutes.map(Optional.some)).map { minute in
                minute.map { "\(hour):\($0 < 10 ? "0" : "")\($0)" } ?? "hour \(hour)"
            }
        }
        return "at \(Self.sentence(times))"
    }

    private var positionWords: String {
        positions.isEmpty ? "" : "(the \(Self.places(positions)) of these)"
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

    /// "1st, 2nd and last".
    private static func places(_ numbers: [Int], bare: Bool = false) -> String {
        let ascending = numbers.filter { $0 > 0 } + numbers.filter { $0 < 0 }
        return sentence(ascending.map { $0 > 0 && bare ? "\($0)" : place($0) })
    }

    /// "2nd", "last", "2nd to last".
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

    private static func sentence(_ words: [String]) -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return "\(words.dropLast().joined(separator: ", ")) and \(last)"
    }
}
