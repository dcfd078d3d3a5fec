import Timekeeping

extension CalendarComponent {
    /// The calendar with the time of the series for changed dates that state midnight of their day
    /// instead, as Exchange writes them (`RECURRENCE-ID;TZID=…:20270412T000000` of a series at
    /// 10:00). Without that, the series would still take place at its usual time on that day.
    var namingMidnights: CalendarComponent {
        let dates = components.filter { $0.line("RECURRENCE-ID")?.isAtMidnight == true }
        guard !dates.isEmpty else { return self }
        let starts = Dictionary(
            components.compactMap { component in
                component.startOfDailyDates.map { (component.line("UID")?.text ?? "", $0) }
            }
        ) { $1 }
        var named: [Int: CalendarLine] = [:]
        for date in dates {
            guard let start = starts[date.line("UID")?.text ?? ""],
                let line = date.line("RECURRENCE-ID"),
                line.parameter("TZID") == start.parameter("TZID")
            else { continue }
            let (day, time) = (line.plainText.prefix(8), start.plainText.dropFirst(8))
            named[date.number] = line.saying("\(day)\(time)")
        }
        var calendar = self
        calendar.items = items.map { item in
            guard case .component(let date) = item, let line = named[date.number] else {
                return item
            }
            return .component(date.replacing([line.name], by: [line]))
        }
        return calendar
    }

    /// The start of a series that takes place at one time of day, which is not midnight; `nil` for
    /// other components.
    private var startOfDailyDates: CalendarLine? {
        guard name == "VEVENT", line("RECURRENCE-ID") == nil, line("RDATE") == nil,
            let start = line("DTSTART"), case .wall? = CalendarStamp(start.plainText),
            !start.isAtMidnight, let text = line("RRULE")?.plainText,
            let rule = try? RecurrenceRule.lenient(text).rule, !rule.namesTimes
        else { return nil }
        return start
    }
}

extension CalendarLine {
    /// True if the value is midnight on a wall clock.
    fileprivate var isAtMidnight: Bool {
        guard case .wall(let wall)? = CalendarStamp(plainText) else { return false }
        return wall.time == .midnight
    }
}
