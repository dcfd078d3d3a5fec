import Timekeeping

/// A recurrence rule of vCalendar 1.0 (2.2.22), such as `W2 TU TH #4`: every other week on Tuesday
/// and Thursday, four times.
struct VCalendarRule {
    /// The rule in the form of RFC 5545.
    let text: String

    private static let octetsMax = 1000

    // Making a regular expression takes much longer than matching one. Matching does not change it.

    /// The kind and the interval.
    nonisolated(unsafe) private static let head = /(D|W|MP|MD|YM|YD)([0-9]{1,4})/
    /// A week of the month.
    nonisolated(unsafe) private static let place = /([1-5])([+-])/
    /// A day or a month.
    nonisolated(unsafe) private static let number = /([0-9]{1,3})([+-]?)/
    private static let weekdays: Set = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
    /// The number of repetitions of a rule that states none.
    private static let usualCount = 2

    /// Reads a rule; `nil` if it has another form.
    init?(_ rule: String) {
        let rule = rule.uppercased()
        guard rule.utf8.count <= Self.octetsMax,
            let head = rule.prefixMatch(of: Self.head)
        else { return nil }
        let rest = rule[head.range.upperBound...].split(separator: " ")
        guard rest.first?.startIndex != head.range.upperBound else { return nil }
        var words = rest.map(String.init)
        let end = words.last.flatMap(Self.end)
        if end != nil { words.removeLast() }
        guard let list = Self.list(String(head.1), words) else { return nil }
        text = Self.text(
            ["FREQ=\(list.frequency)", "INTERVAL=\(head.2)"]
                + (list.values.isEmpty
                    ? [] : ["\(list.name)=\(list.values.joined(separator: ","))"]),
            end ?? .count(Self.usualCount), times: max(1, list.values.count))
    }

    private enum End {
        case count(Int)
        case until(String)
    }

    private static func end(_ word: String) -> End? {
        if word.hasPrefix("#") { return Int(word.dropFirst()).map(End.count) }
        return word.utf8.count >= 8 && CalendarStamp(word) != nil ? .until(word) : nil
    }

    /// The whole rule. The count of vCalendar is that of weeks, months or years, and that of
    /// RFC 5545 is of dates.
    private static func text(_ parts: [String], _ end: End, times: Int) -> String {
        let last: [String] =
            switch end {
            case .count(0): []
            case .count(let count): ["COUNT=\(max(1, min(count, countMax)) * times)"]
            case .until(let stamp): ["UNTIL=\(stamp)"]
            }
        return (parts + last).joined(separator: ";")
    }

    private static let countMax = 100_000

    private struct List {
        let frequency: String
        var name = ""
        var values: [String] = []
    }

    /// The list of a rule of one kind; `nil` if a word of it has another form.
    private static func list(_ kind: String, _ words: [String]) -> List? {
        switch kind {
        case "D": words.isEmpty ? List(frequency: "DAILY") : nil
        case "W":
            words.allSatisfy(weekdays.contains)
                ? List(frequency: "WEEKLY", name: "BYDAY", values: words) : nil
        case "MP":
            places(words).map { List(frequency: "MONTHLY", name: "BYDAY", values: $0) }
        case "MD":
            numbers(words, 1...31).map {
                List(frequency: "MONTHLY", name: "BYMONTHDAY", values: $0)
            }
        case "YM":
            numbers(words, 1...12).map { List(frequency: "YEARLY", name: "BYMONTH", values: $0) }
        default:
            numbers(words, 1...366).map {
                List(frequency: "YEARLY", name: "BYYEARDAY", values: $0)
            }
        }
    }

    /// The weekdays of months: "1+ MO TU 1- SU" are the first Monday and Tuesday, and the last
    /// Sunday.
    private static func places(_ words: [String]) -> [String]? {
        var week: String?
        var days: [String] = []
        for word in words {
            if weekdays.contains(word) {
                guard let week else { return nil }
                days.append(week + word)
            } else if let found = word.wholeMatch(of: place) {
                week = (found.2 == "-" ? "-" : "") + found.1
            } else {
                return nil
            }
        }
        return days.isEmpty ? nil : days
    }

    /// Days or months: "15", "3+" from the beginning, "3-" from the end, "LD" for the last day.
    private static func numbers(_ words: [String], _ range: ClosedRange<Int>) -> [String]? {
        var numbers: [String] = []
        for word in words {
            if word == "LD" {
                numbers.append("-1")
            } else if let found = word.wholeMatch(of: number),
                let value = Int(found.1), range.contains(value)
            {
                numbers.append((found.2 == "-" ? "-" : "") + "\(value)")
            } else {
                return nil
            }
        }
        return numbers
    }
}
