extension RecurrenceRule: CustomStringConvertible {
    /// The rule in the form of calendar objects, with its parts in a fixed order:
    /// `FREQ=MONTHLY;COUNT=10;BYDAY=-1FR`.
    public var description: String {
        var parts = ["FREQ=\(frequency.rawValue)"]
        if interval > 1 { parts.append("INTERVAL=\(interval)") }
        switch end {
        case .never: break
        case .count(let count): parts.append("COUNT=\(count)")
        case .until(let stamp): parts.append("UNTIL=\(stamp)")
        }
        if let limit { parts.append("UNTIL=\(limit)") }
        for (name, numbers) in lists where !numbers.isEmpty {
            parts.append("\(name)=\(numbers.joined(separator: ","))")
        }
        if weekStart != .monday { parts.append("WKST=\(weekStart.recurrenceName)") }
        return parts.joined(separator: ";")
    }

    private var lists: [(String, [String])] {
        [
            ("BYMONTH", months.map(\.description)),
            ("BYWEEKNO", weekNumbers.map(\.description)),
            ("BYYEARDAY", yearDays.map(\.description)),
            ("BYMONTHDAY", monthDays.map(\.description)),
            (
                "BYDAY",
                days.map { ($0.place == 0 ? "" : "\($0.place)") + $0.weekday.recurrenceName }
            ),
            ("BYHOUR", hours.map(\.description)),
            ("BYMINUTE", minutes.map(\.description)),
            ("BYSECOND", seconds.map(\.description)),
            ("BYSETPOS", positions.map(\.description)),
        ]
    }
}
