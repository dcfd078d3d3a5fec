/// The single words and numbers of typed times.
extension Weekday {
    /// The weekday of a lower-case name or of its first three or more letters.
    init?(typed word: String) {
        guard let weekday = Weekday.allCases.first(where: { $0.name.isMeant(by: word) }) else {
            return nil
        }
        self = weekday
    }
}

extension Month {
    /// The number of the month with a lower-case name or its first three or more letters.
    static func number(typed word: String) -> Int? {
        (1...12).first { name($0).isMeant(by: word) }
    }
}

extension String {
    /// True if a word is an abbreviation of this name with at least three letters, for example
    /// "fri.".
    fileprivate func isMeant(by word: String) -> Bool {
        let letters = word.hasSuffix(".") ? word.dropLast() : word[...]
        return letters.utf8.count >= 3 && lowercased().hasPrefix(letters)
    }
}

/// A time of day in digits.
enum TypedClock {
    /// The time of a word such as "18:30", "6pm" or "6.30pm", or of two words such as "6 pm"; nil
    /// if the word is not a time. Numbers with a point alone are a time only if `pointed` is true.
    static func time(
        _ word: String, next: String?, pointed: Bool = false
    ) throws(TimeTextError) -> (value: CivilTime, takesNext: Bool)? {
        var cursor = TextCursor(word)
        guard let (numbers, separator) = cursor.clockNumbers() else { return nil }
        let suffix = cursor.text { $0.isLetter || $0 == UInt8(ascii: ".") }
        let isAfternoon = isAfternoon(suffix.isEmpty ? next ?? "" : suffix)
        guard cursor.isAtEnd, isAfternoon != nil || suffix.isEmpty,
            isAfternoon != nil || separator == ":" || pointed
        else { return nil }
        let time = try TimeTextError.wrapping { () throws(CivilError) in
            try CivilTime(hour: numbers[0], minute: numbers[1], second: numbers[2])
        }
        guard let isAfternoon else { return (time, false) }
        guard (1...12).contains(time.hour) else {
            throw .notOfHalfDay(suffix.isEmpty ? "\(word) \(next ?? "")" : word, time)
        }
        let halfDay = CivilTime.secondsOfDay / 2
        let second = time.secondsSinceMidnight % halfDay + (isAfternoon ? halfDay : 0)
        return (CivilTime(secondOfDay: second), suffix.isEmpty)
    }

    /// True for "pm" or "p.m.", false for "am", nil for anything else.
    private static func isAfternoon(_ word: String) -> Bool? {
        switch word.filter({ $0 != "." }) {
        case "am": false
        case "pm": true
        default: nil
        }
    }
}

extension TextCursor {
    /// An hour, and minutes and seconds if they follow after a colon or a point.
    fileprivate mutating func clockNumbers() -> (numbers: [Int], separator: Unicode.Scalar?)? {
        guard let hour = number(digitsMax: 2) else { return nil }
        guard let separator = take(anyOf: ":.").map(Unicode.Scalar.init) else {
            return ([hour, 0, 0], nil)
        }
        guard let minute = number(digits: 2) else { return nil }
        guard take(separator) else { return ([hour, minute, 0], separator) }
        return number(digits: 2).map { ([hour, minute, $0], separator) }
    }
}
