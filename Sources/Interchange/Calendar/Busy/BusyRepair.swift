import Timekeeping

/// Reads the times of one event as far as possible, and rather as too much time than too little.
struct BusyRepair {
    /// The doubts so far.
    private(set) var doubts: BusyDoubts
    private let zones: CalendarZones
    private let directory: ZoneDirectory

    init(_ doubts: BusyDoubts, _ zones: CalendarZones, _ directory: ZoneDirectory) {
        self.doubts = doubts
        self.zones = zones
        self.directory = directory
    }

    /// The event with times that can be read.
    ///
    /// - Parameters:
    ///   - event: the component, as any program wrote it.
    ///   - inDays: true if the whole event consists of whole days; `nil` to decide by this
    ///     component.
    ///   - isOfSeries: true if this is a date of a series that the calendar contains.
    /// - Returns: the component; `nil` if its time is unknown. A date of a series without a start
    ///   takes place at its original time.
    mutating func readable(
        _ event: CalendarComponent, inDays: Bool?, isOfSeries: Bool
    ) -> CalendarComponent? {
        guard let begun = withStart(event, isOfSeries: isOfSeries) else { return nil }
        var event = begun.replacing(["RDATE"], by: begun.lines("RDATE").compactMap { added($0) })
        for line in event.lines("EXRULE") { doubts.note(.exceptionRule, at: line.number) }
        for line in event.lines("EXDATE") {
            for text in line.values where CalendarStamp(text) == nil {
                doubts.note(.exception, at: line.number)
            }
        }
        event = event.asMeant(inDays: inDays ?? event.isOfDays).withOneEnd(by: zones, directory)
        return withEnd(event)
    }

    // MARK: Start

    private mutating func withStart(
        _ event: CalendarComponent, isOfSeries: Bool
    ) -> CalendarComponent? {
        if let other = event.lines("DTSTART").first(where: { $0.isOther(than: event) }) {
            doubts.note(.starts, at: other.number)
        }
        let date = event.line("RECURRENCE-ID")
        // A cancelled date needs no start (RFC 5546, 3.2.5).
        let isOff = event.line("STATUS")?.plainText.uppercased() == BusyClaim.none.rawValue
        if event.line("DTSTART") == nil, date != nil, isOff { return event }
        let start = event.line("DTSTART") ?? event.line("DTEND")
        if let start, start.name == "DTSTART", CalendarStamp(start.plainText) != nil {
            return event
        }
        let day = [start, event.line("DTEND")].compactMap { $0?.dayOnly }.first
        if let start, start.name == "DTSTART" || date == nil, let day {
            doubts.note(start.isOfOtherZone ? .dayElsewhere : .day, at: start.number)
            let end = event.lines("DTEND").filter {
                $0.dayOnly.map { $0.plainText > day.plainText } ?? false
            }.compactMap(\.dayAfter)
            let days = event.replacing(["DTSTART"], by: [day]).replacing(["DTEND"], by: end)
                .replacing(["DURATION"], by: [])
            return start.isOfOtherZone ? days.inUnknownZone : days
        }
        doubts.note(date == nil ? .start : .changedStart, at: start?.number ?? event.number)
        guard let date else { return nil }
        guard isOfSeries else { return event.replacing(["DTSTART"], by: [date.named("DTSTART")]) }
        return event.replacing(["DTSTART", "DTEND", "DURATION"], by: [])
    }

    // MARK: End

    private mutating func withEnd(_ event: CalendarComponent) -> CalendarComponent {
        let line = event.line("DTEND") ?? event.line("DURATION")
        guard let line, let start = event.line("DTSTART").flatMap({ CalendarStamp($0.plainText) })
        else { return event }
        let length = event.line("DURATION").flatMap { TimeSpan(calendar: $0.plainText) }
        let end = event.line("DTEND").flatMap { CalendarStamp($0.plainText) }
        if end == nil, let length {
            if length == .zero, start.isDay { return event.replacing(["DURATION"], by: []) }
            if line.name == "DTEND" { doubts.note(.end, at: line.number) }
            return event.replacing(["DTEND"], by: [])
        }
        let entry = CalendarEntry(event, by: zones, directory)
        let isGuessed = entry.end?.unknownZone != entry.start?.unknownZone
        let isRead = end != nil && !isGuessed && entry.length(in: .utc) != nil
        guard !isRead else { return event }
        doubts.note(.end, at: line.number)
        let rest = CalendarLine("DURATION", raw: start.restOfDay.calendarText)
        return event.replacing(["DTEND"], by: []).replacing(["DURATION"], by: [rest])
    }

    // MARK: Repetition

    /// A rule as far as it can be read, and whether other days have to count as maybe busy.
    ///
    /// - Parameters:
    ///   - line: the rule.
    ///   - inDays: true if the event consists of whole days, which cannot repeat within a day.
    /// - Returns: the rule, `nil` if it cannot be used, and whether it is unclear.
    mutating func rule(
        _ line: CalendarLine, inDays: Bool
    ) -> (text: String?, isUnclear: Bool) {
        guard let (rule, faults) = try? RecurrenceRule.lenient(line.plainText),
            !inDays || rule.frequency >= .daily
        else {
            doubts.note(.rule, at: line.number)
            return (nil, true)
        }
        guard !faults.isEmpty else { return (rule.description, false) }
        // Without the parts that only extend the rule if they are left out.
        let choosing = line.plainText.split(separator: ";").filter { part in
            !["INTERVAL", "COUNT", "UNTIL"].contains { part.uppercased().contains("\($0)=") }
        }
        let isUnclear =
            (try? RecurrenceRule.lenient(choosing.joined(separator: ";")))?.faults.isEmpty != true
        doubts.note(isUnclear ? .rule : .extent, at: line.number)
        return (rule.description, isUnclear)
    }

    /// Added dates; `nil` if none of them can be read.
    private mutating func added(_ line: CalendarLine) -> CalendarLine? {
        var (whole, days): ([Substring], [Substring]) = ([], [])
        for text in line.values {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            if text.isTime, parts.count == 1 || text.isPeriod {
                whole.append(text)
            } else if CalendarStamp(parts[0]) != nil {
                doubts.note(.addition, at: line.number)
                whole.append(parts[0])
            } else {
                doubts.note(.addition, at: line.number)
                days += CalendarStamp(text.prefix(8)) == nil ? [] : [text.prefix(8)]
            }
        }
        // A date beside a timed start means the time of the start.
        let values = whole + days
        return values.isEmpty ? nil : line.saying(values.joined(separator: ","))
    }

    // MARK: Busy periods

    /// The periods of a FREEBUSY line; `nil` if none can be read.
    mutating func periods(_ line: CalendarLine) -> CalendarLine? {
        let values = line.values.compactMap { text -> String? in
            if text.isPeriod { return String(text) }
            doubts.note(.period, at: line.number)
            return CalendarStamp(text.prefix { $0 != "/" }).map {
                "\($0)/\($0.restOfDay.calendarText)"
            }
        }
        return values.isEmpty ? nil : line.saying(values.joined(separator: ","))
    }
}

extension CalendarLine {
    /// The values of a list, without blanks.
    var values: [Substring] {
        plainText.filter { $0 != " " && $0 != "\t" }.split(separator: ",")
    }

    /// True if the first line of this name in an event says something else.
    fileprivate func isOther(than event: CalendarComponent) -> Bool {
        let first = event.line(name)
        return first?.plainText != plainText || first?.parameter("TZID") != parameter("TZID")
    }

    /// The first day in the value, as a start; `nil` if there is none.
    fileprivate var dayOnly: CalendarLine? {
        writtenDay.map { CalendarLine("DTSTART", [("VALUE", "DATE")], raw: "\($0)") }
    }

    /// True if the value is, or may be, a time in another zone than the person's.
    fileprivate var isOfOtherZone: Bool {
        parameter("TZID") != nil || plainText.uppercased().hasSuffix("Z")
            || plainText.contains(BusyForms.offset)
    }

    /// The day after the first day in the value, as an end.
    fileprivate var dayAfter: CalendarLine? {
        guard case .day(let day)? = writtenDay else { return nil }
        let next = CalendarStamp.day(day.adding(days: 1))
        return CalendarLine("DTEND", [("VALUE", "DATE")], raw: "\(next)")
    }

    private var writtenDay: CalendarStamp? {
        plainText.filter { $0 != " " }.firstMatch(of: BusyForms.day)
            .flatMap { CalendarStamp("\($0.1)\($0.2)\($0.3)") }
    }

    /// True if the value is a time in a zone that is unknown.
    func isInUnknownZone(_ zones: CalendarZones, _ directory: ZoneDirectory) -> Bool {
        StatedTime(self, by: zones, directory)?.unknownZone != nil
    }
}

extension CalendarComponent {
    /// Whole days as times from midnight to midnight in an unknown zone.
    fileprivate var inUnknownZone: CalendarComponent {
        func midnight(_ line: CalendarLine) -> CalendarLine {
            CalendarLine(
                line.name, [("TZID", BusyStripping.unknownZone)], raw: "\(line.plainText)T000000")
        }
        let end = lines("DTEND").map(midnight)
        let length = end.isEmpty ? [CalendarLine("DURATION", raw: "P1D")] : []
        return replacing(["DTSTART"], by: lines("DTSTART").map(midnight))
            .replacing(["DTEND"], by: end).replacing(["DURATION"], by: length)
    }
}

extension Substring {
    /// True if the text is a time, or a period given by its end or its length.
    var isTime: Bool {
        let parts = split(separator: "/", omittingEmptySubsequences: false)
        guard CalendarStamp(parts.first ?? "") != nil, parts.count <= 2 else { return false }
        return parts.count == 1 || CalendarStamp(parts[1]) != nil
            || TimeSpan(calendar: String(parts[1])) != nil
    }

    /// True if the text is a period that does not end before its start.
    fileprivate var isPeriod: Bool {
        let parts = split(separator: "/", omittingEmptySubsequences: false)
        guard isTime, parts.count == 2 else { return false }
        guard case .utc(let start) = CalendarStamp(parts[0]),
            case .utc(let end) = CalendarStamp(parts[1])
        else { return true }
        return end > start
    }
}

extension CalendarStamp {
    /// The time from this one to the end of the day that is written.
    fileprivate var restOfDay: TimeSpan {
        let day = CivilTime.secondsOfDay
        switch self {
        case .day: return TimeSpan(days: 1, seconds: 0)
        case .wall(let wall): return TimeSpan(days: 0, seconds: day - Int(wall.secondOfDay))
        case .utc(let moment):
            let wall = WallTime(secondsSince1970: moment.seconds)
            return TimeSpan(days: 0, seconds: day - Int(wall.secondOfDay))
        }
    }
}

extension WallTime {
    fileprivate var secondOfDay: Int64 {
        let day = Int64(CivilTime.secondsOfDay)
        return (secondsSince1970 % day + day) % day
    }
}

/// The forms of values that are not valid.
private enum BusyForms {
    nonisolated(unsafe) static let offset = /[0-9][+-][0-9]{2}:?[0-9]{2}$/
    nonisolated(unsafe) static let day = /([0-9]{4})-?([0-9]{2})-?([0-9]{2})/
}
