public import Timekeeping

/// The reason why a text is not a valid part of a week.
public enum WeekSpanError: Error, Equatable, CustomStringConvertible {
    /// The text does not have the format of one.
    case unreadable(String)
    /// The start and the end are the same time of day.
    case empty(String)

    /// The text that was read, and the accepted format.
    public var description: String {
        switch self {
        case .unreadable(let text):
            "\"\(text)\" is not a valid part of a week. Write times such as 22:00-08:00, with days "
                + "unless they apply to all days (mon-fri 09:00-18:00), or days alone for whole "
                + "days (sun)."
        case .empty(let text):
            "\"\(text)\" ends when it begins. For a whole day write the day alone, or 00:00-24:00."
        }
    }
}

/// A part of every week in wall-clock time, such as the nights of all days.
///
/// ```swift
/// let nights = try WeekSpan.parse("22:00-08:00")
/// let office = try WeekSpan.parse("mon-fri 09:00-18:00")
/// try WeekSpan.parse("sun").contains(sundayNoon)
/// ```
public struct WeekSpan: Hashable, Sendable, CustomStringConvertible {
    static let minutesOfDay = 1440

    /// The days on which it begins.
    public let days: Set<Weekday>
    /// The minute of the day at which it begins, in `0..<1440`.
    public let start: Int
    /// The minute of the day at which it ends (exclusive), in `1...1440`. It is on the next day
    /// unless it is after `start`.
    public let end: Int

    private init(days: Set<Weekday>, start: Int, end: Int) {
        self.days = days
        self.start = start
        self.end = end
    }

    /// Parses texts such as "22:00-08:00", "10pm-8am", "22-8 Uhr", "mon-fri 09:00-18:00", "sat,sun"
    /// and "mo-fr". Days may be in any case, hours may lack minutes, and a range of days may
    /// include Sunday night: "fri-mon".
    ///
    /// - Throws: ``WeekSpanError``.
    public static func parse(_ text: String) throws(WeekSpanError) -> WeekSpan {
        var parts = text.split(separator: " ").map(String.init)
        if parts.count > 1, parts.last?.lowercased() == "uhr" { parts.removeLast() }
        guard let first = parts.first, parts.count <= 2, let last = parts.last else {
            throw .unreadable(text)
        }
        let hasDays = first.utf8.first.map { !(48...57).contains($0) } ?? false
        guard hasDays || parts.count == 1, let days = hasDays ? days(first) : Set(Weekday.allCases)
        else { throw .unreadable(text) }
        guard !hasDays || parts.count == 2 else {
            return WeekSpan(days: days, start: 0, end: minutesOfDay)
        }
        let ends = last.lowercased().split(separator: "-", omittingEmptySubsequences: false)
        let times = ends.map(minute)
        // "10-8am" could begin in the morning or in the evening.
        guard times.count == 2, let start = times[0], let end = times[1], start < minutesOfDay,
            isOfHalfDay(ends[0]) == isOfHalfDay(ends[1])
        else { throw .unreadable(text) }
        guard start != end else { throw .empty(text) }
        return WeekSpan(days: days, start: start, end: end == 0 ? minutesOfDay : end)
    }

    private static func days(_ text: String) -> Set<Weekday>? {
        var days: Set<Weekday> = []
        for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
                .map { Weekday(typed: String($0)) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2
            else { return nil }
            var day = first
            days.insert(day)
            while day != last {
                day = day.next
                days.insert(day)
            }
        }
        return days
    }

    private static func isOfHalfDay(_ text: Substring) -> Bool {
        text.hasSuffix("am") || text.hasSuffix("pm")
    }

    /// The minute of the day for "22:00", "9" or "10pm"; 1440 for "24:00".
    private static func minute(_ text: Substring) -> Int? {
        guard !isOfHalfDay(text) else {
            let clock = text.dropLast(2)
            // From 1:00 to 12:59.
            guard !isOfHalfDay(clock), let value = Self.minute(clock), (60..<780).contains(value)
            else { return nil }
            let noon = minutesOfDay / 2
            return value % noon + (text.hasSuffix("pm") ? noon : 0)
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let hour = parts.first.flatMap({ number($0, digits: 1...2) })
        else { return nil }
        guard let minute = parts.count == 2 ? number(parts[1], digits: 2...2) : 0, minute < 60,
            hour < 24 || (hour, minute) == (24, 0)
        else { return nil }
        return hour * 60 + minute
    }

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return Int(text)
    }

    /// True if the wall-clock time is within this part of the week.
    public func contains(_ wall: WallTime) -> Bool {
        contains(wall.date.weekday, second: wall.time.secondsSinceMidnight)
    }

    func contains(_ day: Weekday, second: Int) -> Bool {
        guard end <= start else {
            return days.contains(day) && start * 60 <= second && second < end * 60
        }
        return days.contains(day) && start * 60 <= second
            || days.contains(day.previous) && second < end * 60
    }

    /// The text in the format of ``parse(_:)``, such as "mon-fri 09:00-18:00"; without days if it
    /// applies to all of them.
    public var description: String {
        let isWhole = start == 0 && end == Self.minutesOfDay
        let times = "\(Self.text(start))-\(Self.text(end))"
        guard days.count < Weekday.allCases.count else { return times }
        return isWhole ? daysText : "\(daysText) \(times)"
    }

    private static func text(_ minute: Int) -> String {
        let (hour, rest) = minute.quotientAndRemainder(dividingBy: 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest)"
    }

    private var daysText: String {
        var runs: [[Weekday]] = []
        for day in Weekday.allCases where days.contains(day) {
            if let last = runs.last?.last, last.next == day {
                runs[runs.count - 1].append(day)
            } else {
                runs.append([day])
            }
        }
        return runs.map { run in
            run.count == 1
                ? run[0].shortName : "\(run[0].shortName)-\(run[run.count - 1].shortName)"
        }.joined(separator: ",")
    }
}

extension Weekday {
    /// The short name in lower case, such as "mon".
    var shortName: String { String(name.prefix(3)).lowercased() }
    var next: Weekday { Weekday(rawValue: rawValue % 7 + 1) ?? self }
    var previous: Weekday { Weekday(rawValue: (rawValue + 5) % 7 + 1) ?? self }
}
