import Timekeeping

/// The clocks of a zone that a calendar object describes itself (RFC 5545, 3.6.5), as they are set
/// from now on: what they were in the past is not kept.
struct CalendarClock: Equatable, Sendable {
    /// A change of the clocks.
    private struct Change {
        let onset: WallTime
        let offset: Int
        /// The day of the year on which it comes, as POSIX writes it; `nil` where it came once.
        let day: String?
    }

    private var standard: Change?
    private var daylight: Change?

    static func == (left: CalendarClock, right: CalendarClock) -> Bool { left.rule == right.rule }

    /// Takes what is said of one kind of its times.
    mutating func take(_ properties: [VCardProperty], isDaylight: Bool) {
        func only(_ name: String) -> String? {
            let found = properties.filter { $0.name == name }
            return found.count == 1 ? found[0].plainText : nil
        }
        guard let onset = only("DTSTART").flatMap(CalendarDigits.wall),
            let offset = only("TZOFFSETTO").flatMap(CalendarDigits.offset)
        else { return }
        let change = Change(
            onset: onset, offset: offset, day: only("RRULE").flatMap(Self.day))
        if isDaylight {
            daylight = Self.later(daylight, change)
        } else {
            standard = Self.later(standard, change)
        }
    }

    private static func later(_ left: Change?, _ right: Change) -> Change {
        guard let left else { return right }
        guard (left.day == nil) == (right.day == nil) else {
            return left.day == nil ? right : left
        }
        return left.onset < right.onset ? right : left
    }

    /// The zone, named by its rules; `nil` where it has none that can be told.
    var zone: Zone? { rule.flatMap(Zone.init(posix:)) }

    private var rule: String? {
        guard let standard else {
            return daylight.map { "<DST>\(Self.west($0.offset))" }
        }
        let name = "<STD>\(Self.west(standard.offset))"
        guard let daylight, let start = daylight.day, let end = standard.day else { return name }
        return "\(name)<DST>\(Self.west(daylight.offset)),"
            + "\(start)/\(daylight.onset.time),\(end)/\(standard.onset.time)"
    }

    /// POSIX counts to the west.
    private static func west(_ offset: Int) -> String {
        let size = abs(offset)
        return "\(offset > 0 ? "-" : "")\(size / 3600):\(size / 60 % 60 / 10)\(size / 60 % 10):"
            + "\(size % 60 / 10)\(size % 10)"
    }

    private static let weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

    /// "M3.5.0" for the last Sunday in March, out of the forms in which programs say such a day;
    /// `nil` for other rules, and those that have ended.
    private static func day(_ rule: String) -> String? {
        let parts = rule.uppercased().split(separator: ";").map {
            $0.split(separator: "=", maxSplits: 1).map(String.init)
        }
        let words = Dictionary(
            parts.filter { $0.count == 2 }.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
        guard words["FREQ"] == "YEARLY", words["UNTIL"] == nil, words["COUNT"] == nil,
            words["INTERVAL"] ?? "1" == "1",
            let month = words["BYMONTH"].flatMap({ Int($0) }), (1...12).contains(month),
            let day = words["BYDAY"], let weekday = weekdays.firstIndex(of: String(day.suffix(2))),
            let week = week(day.dropLast(2), words)
        else { return nil }
        return "M\(month).\(week).\(weekday)"
    }

    /// The first to the fourth, or the last; "the Sunday from the 8th to the 14th" is the second.
    private static func week(_ number: Substring, _ words: [String: String]) -> Int? {
        let text = number.isEmpty ? words["BYSETPOS"] : String(number)
        if let text {
            guard let week = Int(text), week == -1 || (1...4).contains(week) else { return nil }
            return week == -1 ? 5 : week
        }
        let days = words["BYMONTHDAY"]?.split(separator: ",").compactMap { Int($0) } ?? []
        guard days.count == 7, let first = days.min(), first > 0, first % 7 == 1 else {
            return nil
        }
        return first / 7 + 1
    }
}
