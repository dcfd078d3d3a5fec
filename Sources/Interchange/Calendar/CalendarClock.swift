import Timekeeping

/// The clocks of a zone that a calendar object describes itself (RFC 5545, 3.6.5).
struct CalendarClock: Equatable, Sendable {
    /// Changes of the clocks to one kind of time.
    private struct Observance: Equatable {
        /// How often the change comes.
        enum Recurrence: Equatable {
            case once
            /// Each year on a day, as POSIX writes it, until so late.
            case yearly(String, until: WallTime?)
            /// By a rule that is not understood.
            case otherwise
        }

        let onset: WallTime
        let offset: Int
        let isDaylight: Bool
        let recurrence: Recurrence

        /// Whether it may still come then.
        func holds(at wall: WallTime) -> Bool {
            if case .yearly(_, let until?) = recurrence, until < wall { return false }
            return onset <= wall
        }

        /// Whether it came last less than a year before: nobody says when its time was over.
        func hasEndedLately(at wall: WallTime) -> Bool {
            guard case .yearly(_, let until?) = recurrence else { return false }
            return until < wall && wall <= until.adding(days: 366)
        }
    }

    /// The most of them that are kept of one zone.
    private static let observancesMax = 1000
    private var observances: [Observance] = []

    /// Takes what is said of one kind of its times.
    mutating func take(_ properties: [VCardProperty], isDaylight: Bool) {
        func only(_ name: String) -> String? {
            let found = properties.filter { $0.name == name }
            return found.count == 1 ? found[0].plainText : nil
        }
        guard observances.count < Self.observancesMax,
            let onset = only("DTSTART").flatMap(CalendarDigits.wall),
            let offset = only("TZOFFSETTO").flatMap(CalendarDigits.offset)
        else { return }
        let isPlain = !properties.contains { $0.name == "RRULE" || $0.name == "RDATE" }
        observances.append(
            Observance(
                onset: onset, offset: offset, isDaylight: isDaylight,
                recurrence: isPlain ? .once : YearlyRule.recurrence(only("RRULE") ?? "")))
    }

    /// The zone as it is around a time on its wall, named by its rules; `nil` where they do not
    /// tell: an hour is not guessed.
    func zone(at wall: WallTime) -> Zone? {
        guard !observances.contains(where: { $0.hasEndedLately(at: wall) }) else { return nil }
        let latest = [false, true].compactMap { isDaylight in
            observances.filter { $0.isDaylight == isDaylight && $0.holds(at: wall) }
                .max { $0.onset < $1.onset }
        }
        guard let first = latest.first else { return nil }
        guard latest.count == 2 else {
            return first.recurrence == .otherwise ? nil : Zone(posix: Self.name(first))
        }
        switch (first.recurrence, latest[1].recurrence) {
        case (.once, .once):
            return Zone(posix: Self.name(first.onset < latest[1].onset ? latest[1] : first))
        case (.yearly(let end, _), .yearly(let start, _)):
            return Zone(
                posix: Self.name(first) + Self.name(latest[1])
                    + ",\(start)/\(latest[1].onset.time),\(end)/\(first.onset.time)")
        default: return nil
        }
    }

    /// POSIX counts to the west.
    private static func name(_ observance: Observance) -> String {
        let size = abs(observance.offset)
        let digits = [size / 3600, size / 60 % 60, size % 60].map { "\($0 / 10)\($0 % 10)" }
        return (observance.isDaylight ? "<DST>" : "<STD>")
            + (observance.offset > 0 ? "-" : "") + digits.joined(separator: ":")
    }

    /// Reads rules for one day in each year.
    private enum YearlyRule {
        private static let weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

        static func recurrence(_ rule: String) -> Observance.Recurrence {
            let parts = rule.uppercased().split(separator: ";").map {
                $0.split(separator: "=", maxSplits: 1).map(String.init)
            }
            let words = Dictionary(
                parts.filter { $0.count == 2 }.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
            let until = words["UNTIL"].flatMap(CalendarDigits.wall)
            guard let day = day(words), (until == nil) == (words["UNTIL"] == nil) else {
                return .otherwise
            }
            return .yearly(day, until: until)
        }

        /// "M3.5.0" for the last Sunday in March, out of the forms in which programs say such a
        /// day; `nil` for other rules.
        private static func day(_ words: [String: String]) -> String? {
            guard words["FREQ"] == "YEARLY", words["COUNT"] == nil, words["INTERVAL"] ?? "1" == "1",
                let month = words["BYMONTH"].flatMap({ Int($0) }), (1...12).contains(month),
                let day = words["BYDAY"],
                let weekday = weekdays.firstIndex(of: String(day.suffix(2))),
                let week = week(day.dropLast(2), of: month, words)
            else { return nil }
            return "M\(month).\(week).\(weekday)"
        }

        /// The first to the fourth, or 5 for the last.
        private static func week(
            _ number: Substring, of month: Int, _ words: [String: String]
        ) -> Int? {
            let text = number.isEmpty ? words["BYSETPOS"] : String(number)
            if let text {
                guard let week = Int(text), week == -1 || (1...4).contains(week) else { return nil }
                return week == -1 ? 5 : week
            }
            let days = words["BYMONTHDAY"]?.split(separator: ",").compactMap { Int($0) } ?? []
            guard Set(days).count == 7, let first = days.min(), let last = days.max(),
                last == first + 6
            else { return nil }
            // "The Sunday from the 8th to the 14th" is the second.
            if first > 0, first % 7 == 1 { return first / 7 + 1 }
            return last == CivilDate.days(inMonth: month, ofYear: 2027) ? 5 : nil
        }
    }
}
