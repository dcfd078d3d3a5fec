/// The single words and numbers of typed times.
extension Weekday {
    /// The weekday of a lower-case name in English, or of its first three or more letters, or of a
    /// German name or its two letters.
    package init?(typed word: String) {
        let english = Weekday.allCases.first { $0.name.isMeant(by: word) }
        let letters = word.hasSuffix(".") ? String(word.dropLast()) : word
        guard let weekday = english ?? Self.german[letters] else { return nil }
        self = weekday
    }

    /// The German names. The first three letters are left out, because "die" and "mit" are words.
    private static let german: [String: Weekday] = [
        "mo": .monday, "montag": .monday, "di": .tuesday, "dienstag": .tuesday,
        "mi": .wednesday, "mittwoch": .wednesday, "do": .thursday, "donnerstag": .thursday,
        "fr": .friday, "freitag": .friday, "sa": .saturday, "samstag": .saturday,
        "sonnabend": .saturday, "so": .sunday, "sonntag": .sunday,
    ]
}

extension Month {
    /// The number of the month with a lower-case name in English or German, or its first three or
    /// more letters.
    static func number(typed word: String) -> Int? {
        (1...12).first { month in
            name(month).isMeant(by: word) || german[month - 1].contains { $0.isMeant(by: word) }
        }
    }

    /// The German names of the months that have another name than in English.
    private static let german: [[String]] = [
        ["januar", "jänner"], ["februar"], ["märz", "maerz"], [], ["mai"], ["juni"], ["juli"], [],
        [], ["oktober"], [], ["dezember"],
    ]
}

/// The words that carry no meaning in a typed time.
enum TypedFiller {
    private static let words: Set<String> = ["at", "on", "of", "the", "um", "den", "from", "von"]

    /// The words of a typed time without those that carry no meaning. "Am" is one of them before a
    /// German day, but not after a number, as in "9 am", or at the end, as in "fri am".
    static func removed(from words: [String]) -> [String] {
        var kept: [String] = []
        for (index, word) in words.enumerated() where !Self.words.contains(word) {
            let isAfterNumber = kept.last?.utf8.first?.isDigit == true
            let isGerman = word == "am" && !isAfterNumber && index < words.count - 1
            if !isGerman { kept.append(word) }
        }
        return kept
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
    /// A word after the numbers of a time.
    private enum Suffix {
        case am
        case pm
        /// The German word for "o'clock", or "h", after hours from 0 to 23.
        case hour

        init?(_ word: String) {
            switch word.filter({ $0 != "." }) {
            case "am": self = .am
            case "pm": self = .pm
            case "uhr", "h": self = .hour
            default: return nil
            }
        }
    }

    /// The time of a word such as "18:30", "6pm" or "6.30pm", or of two words such as "6 pm" or
    /// "18 uhr"; nil if the word is not a time. Numbers with a point alone are a time only if
    /// `pointed` is true.
    static func time(
        _ word: String, next: String?, pointed: Bool = false
    ) throws(TimeTextError) -> (value: CivilTime, takesNext: Bool)? {
        var cursor = TextCursor(word)
        guard let (numbers, separator) = cursor.clockNumbers() else { return nil }
        let letters = cursor.text { $0.isLetter || $0 == UInt8(ascii: ".") }
        let suffix = Suffix(letters.isEmpty ? next ?? "" : letters)
        guard cursor.isAtEnd, suffix != nil || letters.isEmpty,
            suffix != nil || separator == ":" || pointed
        else { return nil }
        let time = try TimeTextError.wrapping { () throws(CivilError) in
            try CivilTime(hour: numbers[0], minute: numbers[1], second: numbers[2])
        }
        guard let suffix else { return (time, false) }
        guard suffix != .hour else { return (time, letters.isEmpty) }
        guard (1...12).contains(time.hour) else {
            throw .notOfHalfDay(letters.isEmpty ? "\(word) \(next ?? "")" : word, time)
        }
        let halfDay = CivilTime.secondsOfDay / 2
        let second = time.secondsSinceMidnight % halfDay + (suffix == .pm ? halfDay : 0)
        return (CivilTime(secondOfDay: second), letters.isEmpty)
    }
}

extension TextCursor {
    /// An hour, and minutes and seconds if they follow after a colon or a point, or minutes after
    /// "h".
    fileprivate mutating func clockNumbers() -> (numbers: [Int], separator: Unicode.Scalar?)? {
        guard let hour = number(digitsMax: 2) else { return nil }
        var rest = self
        if rest.take("h"), let minute = rest.number(digits: 2) {
            self = rest
            return ([hour, minute, 0], ":")
        }
        guard let separator = take(anyOf: ":.").map(Unicode.Scalar.init) else {
            return ([hour, 0, 0], nil)
        }
        guard let minute = number(digits: 2) else { return nil }
        guard take(separator) else { return ([hour, minute, 0], separator) }
        return number(digits: 2).map { ([hour, minute, $0], separator) }
    }
}
