public import Timekeeping

/// Opening hours in the notation of OpenStreetMap, as in "Mo-Fr 08:00-18:00; Sa 10:00-14:00", if
/// they repeat each week. A holiday counts as the day of the week on which it falls.
public struct OpeningHours: Equatable, Sendable {
    /// A part of a week, for places.
    public enum State: Equatable, Sendable {
        /// Open all the time.
        case open
        /// Open at the beginning, and closed at the end.
        case closesEarlier
        /// Closed at the beginning.
        case closed
    }

    private static let dayMinutes = 24 * 60

    /// The minutes of each day, from Monday, at which it is open. A range may go on after midnight.
    private var week: [[Range<Int>]]

    /// Reads a text.
    ///
    /// - Returns: `nil` if it contains anything that depends on dates, seasons or the sun, or has
    ///   another form.
    public init?(_ text: String) {
        week = Array(repeating: [], count: Weekday.allCases.count)
        var rule = Rule()
        for token in Self.tokens(text) {
            if token == ";" || rule.isEnded(by: token) {
                guard rule.isWhole else { return nil }
                rule.apply(to: &week)
                rule = Rule(isAdded: rule.hasComma && token != ";")
            }
            guard token == ";" || rule.take(token) else { return nil }
        }
        guard rule.isWhole else { return nil }
        rule.apply(to: &week)
        guard week.contains(where: { !$0.isEmpty }) else { return nil }
    }

    private static func tokens(_ text: String) -> [String] {
        text.replacing(";", with: " ; ").replacing(",", with: " , ").split(separator: " ")
            .map(String.init)
    }

    /// Tells whether a place is open during a part of a week.
    ///
    /// - Parameters:
    ///   - day: the day on which it begins.
    ///   - minute: the minute of that day, from 0 to 1,439.
    ///   - length: the length in minutes.
    /// - Returns: the state.
    public func state(on day: Weekday, minute: Int, length: Int) -> State {
        // A whole week is like any longer time.
        let end = minute + min(max(length, 1), 8 * Self.dayMinutes)
        let days = -1...(end / Self.dayMinutes)
        let spans = days.flatMap { later in
            week[(day.rawValue + 13 + later) % 7].map { span in
                (span.lowerBound + later * Self.dayMinutes)..<(span.upperBound
                    + later * Self.dayMinutes)
            }
        }.sorted { $0.lowerBound < $1.lowerBound }
        guard spans.contains(where: { $0.contains(minute) }) else { return .closed }
        // Spans that touch are one.
        let openUntil = spans.reduce(minute) { reached, span in
            span.lowerBound <= reached ? max(reached, span.upperBound) : reached
        }
        return openUntil >= end ? .open : .closesEarlier
    }

    /// The days and times between two separators.
    private struct Rule {
        /// True if it adds to the rules before it, and does not replace them.
        var isAdded = false
        private var days: Set<Int> = []
        private var isForHolidays = false
        private var spans: [Range<Int>] = []
        private var isOff = false
        private(set) var hasComma = false

        init(isAdded: Bool = false) { self.isAdded = isAdded }

        private var hasTimes: Bool { isOff || !spans.isEmpty }

        /// False for days without times, which would mean the whole day.
        var isWhole: Bool { hasTimes || days.isEmpty && !isForHolidays }

        /// True if a token belongs to the next rule: a day after times.
        func isEnded(by token: String) -> Bool {
            hasTimes && (token == "PH" || token == "SH" || Self.days(token) != nil)
        }

        /// Takes a token; false if it is not understood.
        mutating func take(_ token: String) -> Bool {
            if token == "," {
                hasComma = true
                return true
            }
            if token == "PH" || token == "SH" {
                isForHolidays = true
            } else if let days = Self.days(token) {
                self.days.formUnion(days)
            } else if token == "24/7" {
                spans.append(0..<OpeningHours.dayMinutes)
            } else if token == "off" || token == "closed" {
                isOff = true
            } else if let span = Self.span(token) {
                spans.append(span)
            } else {
                return false
            }
            hasComma = false
            return true
        }

        func apply(to week: inout [[Range<Int>]]) {
            guard hasTimes, !days.isEmpty || !isForHolidays else { return }
            for day in days.isEmpty ? Set(week.indices) : days {
                week[day] = isAdded ? week[day] + spans : spans
            }
        }

        private static let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

        /// The days of a token such as "Mo" or "Fr-Su", counted from Monday.
        private static func days(_ token: String) -> Set<Int>? {
            let ends = token.split(separator: "-", omittingEmptySubsequences: false)
                .map { names.firstIndex(of: String($0)) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1]
            else { return nil }
            return Set((first...(last < first ? last + 7 : last)).map { $0 % 7 })
        }

        /// The minutes of a token such as "08:00-18:00" or "20:00-02:00".
        private static func span(_ token: String) -> Range<Int>? {
            let ends = token.split(separator: "-", omittingEmptySubsequences: false).map(minute)
            guard ends.count == 2, let first = ends[0], let last = ends[1],
                first < OpeningHours.dayMinutes
            else { return nil }
            return first..<(last <= first ? last + OpeningHours.dayMinutes : last)
        }

        private static func minute(_ text: Substring) -> Int? {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
                let hour = Int(parts[0]), let minute = Int(parts[1]), (0...47).contains(hour),
                (0...59).contains(minute)
            else { return nil }
            return hour * 60 + minute
        }
    }
}
