extension PosixRule {
    /// Parses the rule. Nil if it does not follow the grammar of POSIX with the extension of RFC
    /// 8536 section 3.3.1, or if it names a daylight saving time without its first and last day.
    /// POSIX leaves those days to the implementation.
    init?(_ text: String) {
        var cursor = TextCursor(text)
        guard let name = cursor.zoneName(), let west = cursor.clock(hoursMax: 24) else {
            return nil
        }
        let standard = LocalTimeType(offsetSeconds: -west, isDaylight: false, abbreviation: name)
        guard !cursor.isAtEnd else {
            self.init(standard: standard)
            return
        }
        guard let season = cursor.season(standardOffset: -west), cursor.isAtEnd else { return nil }
        self.init(standard: standard, season: season)
    }
}

extension TextCursor {
    /// Reads a name: three or more letters, or letters, digits and signs in angle brackets.
    mutating func zoneName() -> String? {
        let bracketed = take("<")
        let name = text {
            $0.isLetter
                || bracketed && ($0.isDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-"))
        }
        guard name.utf8.count >= 3, !bracketed || take(">") else { return nil }
        return name
    }

    /// The seconds of a time written as [+-]h[h][:mm[:ss]].
    mutating func clock(hoursMax: Int) -> Int? {
        let sign = take(anyOf: "+-")
        guard let hours = number(digitsMax: 3), hours <= hoursMax else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] {
            guard take(":") else { break }
            guard let part = number(digits: 2), part <= 59 else { return nil }
            seconds += part * unit
        }
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }

    fileprivate mutating func season(standardOffset: Int) -> PosixRule.Season? {
        guard let name = zoneName() else { return nil }
        var offset = standardOffset + 3600
        if let byte = next, byte != UInt8(ascii: ",") {
            guard let west = clock(hoursMax: 24) else { return nil }
            offset = -west
        }
        let type = LocalTimeType(offsetSeconds: offset, isDaylight: true, abbreviation: name)
        guard take(","), let start = annualChange(), take(","), let end = annualChange() else {
            return nil
        }
        return PosixRule.Season(type: type, start: start, end: end)
    }

    private mutating func annualChange() -> AnnualChange? {
        guard let day = annualDay() else { return nil }
        guard take("/") else { return AnnualChange(day: day, timeSeconds: 7200) }
        return clock(hoursMax: 167).map { AnnualChange(day: day, timeSeconds: $0) }
    }

    private mutating func annualDay() -> AnnualChange.Day? {
        if take("J") {
            return number(digitsMax: 3).flatMap { (1...365).contains($0) ? .julian($0) : nil }
        }
        guard take("M") else {
            return number(digitsMax: 3).flatMap { $0 <= 365 ? .ordinal($0) : nil }
        }
        guard let month = number(digitsMax: 2), (1...12).contains(month), take("."),
            let week = number(digits: 1), (1...5).contains(week), take("."),
            let weekday = number(digits: 1), weekday <= 6
        else { return nil }
        return .weekday(month: month, week: week, weekday: weekday)
    }
}
