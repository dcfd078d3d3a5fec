extension CronExpression: CustomStringConvertible {
    /// The schedule in words, for example "At 02:05 every day".
    public var description: String {
        let (times, isFrequent) = timeWords
        let parts = [times, dayWords(isFrequent: isFrequent), monthWords]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The maximum number of times of day that are listed one by one.
    private static let timesMax = 6

    /// The times of day in words, and whether the line runs in every hour of the day.
    private var timeWords: (String, isFrequent: Bool) {
        let minutes = CronNumbers(self.minutes, in: .minute)
        let hours = CronNumbers(self.hours, in: .hour)
        if minutes.isAll { return ("Every minute\(hoursWords(hours))", hours.isAll) }
        if let step = minutes.step, step > 1, step < 60 {
            return ("Every \(step) minutes\(hoursWords(hours))", hours.isAll)
        }
        if minutes.list.count == 1, let minute = minutes.list.first {
            let at = minute == 0 ? "" : " at minute \(minute)"
            if hours.isAll { return ("Every hour\(at)", true) }
            if let step = hours.step, step > 1, step < 24 {
                return ("Every \(step) hours\(at)", true)
            }
        }
        guard minutes.list.count * hours.list.count <= Self.timesMax else {
            return ("At \(minutes.words(called: "minute"))\(hoursWords(hours))", hours.isAll)
        }
        let times = hours.list.flatMap { hour in
            minutes.list.map { CronNumbers.clock(hour, $0) }
        }
        return ("At \(CronNumbers.sentence(times))", false)
    }

    private func hoursWords(_ hours: CronNumbers) -> String {
        guard !hours.isAll else { return "" }
        guard let first = hours.list.first, let last = hours.list.last, hours.isRun else {
            return " in the \(hours.words(called: "hour"))"
        }
        return " from \(CronNumbers.clock(first, 0)) to \(CronNumbers.clock(last, 59))"
    }

    private func dayWords(isFrequent: Bool) -> String {
        let ofMonth = numberWords
        let isCondition = days.needsBoth && !ofMonth.isEmpty
        let ofWeek = weekdayWords(joinedBy: isCondition ? "or" : "and")
        // If either field may match and one of them matches every day, the other has no effect.
        let isAnyDay = !days.needsBoth && (ofMonth.isEmpty || ofWeek.isEmpty)
        switch (ofMonth.isEmpty || isAnyDay, ofWeek.isEmpty || isAnyDay) {
        case (true, true): return isFrequent || !monthWords.isEmpty ? "" : "every day"
        case (false, true): return ofMonth
        case (true, false): return ofWeek
        case (false, false):
            return "\(ofMonth), \(isCondition ? "if it falls" : "and") \(ofWeek)"
        }
    }

    /// Words such as "on days 1 and 15 of the month" or "on the last day of the month"; empty for
    /// any day.
    private var numberWords: String {
        let numbers = CronNumbers(days.ofMonth.numbers, in: .dayOfMonth)
        guard !numbers.isAll else { return "" }
        let last = days.ofMonth.hasLastDay ? ["the last day"] : []
        let named = numbers.list.isEmpty ? [] : [numbers.words(called: "day")]
        return "on \(CronNumbers.sentence(named + last)) of the month"
    }

    /// Words such as "on Monday", "from Monday to Friday" or "on the second Monday of the month".
    private func weekdayWords(joinedBy link: String) -> String {
        let names = CronNumbers(days.ofWeek.numbers, in: .dayOfWeek)
        if names.list.count == 7 { return "" }
        let nth = (0..<35).filter { days.ofWeek.nthDays >> UInt64($0) & 1 == 1 }.map { bit in
            "the \(Self.places[bit / 7]) \(Self.weekday(bit % 7)) of the month"
        }
        if nth.isEmpty, names.list.count > 2, names.isRun {
            return "from \(Self.weekday(names.list[0])) to "
                + Self.weekday(names.list[names.list.count - 1])
        }
        // Weeks begin on Monday.
        let plain = names.list.sorted { ($0 + 6) % 7 < ($1 + 6) % 7 }.map(Self.weekday)
        return "on \(CronNumbers.sentence(plain + nth, joinedBy: link))"
    }

    private static let places = ["first", "second", "third", "fourth", "fifth"]

    private static func weekday(_ number: Int) -> String {
        (Weekday(rawValue: number == 0 ? 7 : number) ?? .sunday).name
    }

    private var monthWords: String {
        let numbers = CronNumbers(months, in: .month)
        guard !numbers.isAll, let first = numbers.list.first, let last = numbers.list.last else {
            return ""
        }
        guard numbers.list.count > 2, numbers.isRun else {
            return "in \(CronNumbers.sentence(numbers.list.map(Month.name)))"
        }
        return "from \(Month.name(first)) to \(Month.name(last))"
    }
}

/// The numbers that a field matches, for sentences.
private struct CronNumbers {
    let list: [Int]
    private let field: CronField

    init(_ bits: UInt64, in field: CronField) {
        self.field = field
        list = field.range.filter { bits >> UInt64($0) & 1 == 1 }
    }

    var isAll: Bool { list.count == field.range.count }

    /// True if the list has no gap between its first and its last number.
    var isRun: Bool {
        guard let first = list.first, let last = list.last else { return false }
        return last - first + 1 == list.count
    }

    /// The distance between the numbers if they divide the whole range evenly; nil otherwise.
    var step: Int? {
        guard list.count > 1, list[0] == field.range.lowerBound else { return nil }
        let step = list[1] - list[0]
        let isEven = zip(list, list.dropFirst()).allSatisfy { $1 - $0 == step }
        return isEven && step * list.count == field.range.count ? step : nil
    }

    /// Words such as "days 1 to 7 and 15".
    func words(called noun: String) -> String {
        "\(noun)\(list.count == 1 ? "" : "s") \(CronNumbers.sentence(runs))"
    }

    /// Texts of the numbers, in which three or more consecutive numbers become a range.
    private var runs: [String] {
        var runs: [ClosedRange<Int>] = []
        for number in list {
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        return runs.flatMap { run in
            run.count > 2
                ? ["\(run.lowerBound) to \(run.upperBound)"] : run.map(String.init)
        }
    }

    /// A list in words, for example "1, 2 and 3".
    static func sentence(_ words: [String], joinedBy link: String = "and") -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return "\(words.dropLast().joined(separator: ", ")) \(link) \(last)"
    }

    /// A time of day, for example "02:05".
    static func clock(_ hour: Int, _ minute: Int) -> String {
        [hour, minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
