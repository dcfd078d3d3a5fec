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
    /// - Returns: the component; `nil` if its time is unknown.
    mutating func readable(_ event: CalendarComponent, inDays: Bool?) -> CalendarComponent? {
        guard let begun = withStart(event) else { return nil }
        var event = begun.replacing(["RDATE"], by: begun.lines("RDATE").compactMap { added($0) })
        for line in event.lines("EXRULE") { doubts.note(.exceptionRule, at: line.number) }
        for line in event.lines("EXDATE") {
            for text in line.values where CalendarStamp(text) == nil {
                doubts.note(.exception, at: line.number)
            }
        }
        event = event.asMeant(inDays: inDays ?? event.isOfDays)
        return withEnd(event)
    }

    // MARK: Start

    private mutating func withStart(_ event: CalendarComponent) -> CalendarComponent? {
        let date = event.line("RECURRENCE-ID")
        guard let start = event.line("DTSTART") else {
            // A cancelled date needs no start (RFC 5546, 3.2.5).
            if date == nil { doubts.note(.start, at: event.number) }
            return date == nil ? nil : event
        }
        guard CalendarStamp(start.plainText) == nil else { return event }
        if let day = start.dayOnly {
            doubts.note(.day, at: start.number)
            return event.replacing(["DTSTART"], by: [day]).replacing(["DURATION"], by: [])
        }
        doubts.note(date == nil ? .start : .changedStart, at: start.number)
        return date.map { event.replacing(["DTSTART"], by: [$0.named("DTSTART")]) }
    }

    // MARK: End

    private mutating func withEnd(_ event: CalendarComponent) -> CalendarComponent {
        let line = event.line("DTEND") ?? event.line("DURATION")
        guard let line, let start = event.line("DTSTART").flatMap({ CalendarStamp($0.plainText) })
        else { return event }
        let length = event.line("DURATION").flatMap { TimeSpan(calendar: $0.plainText) }
        let end = event.line("DTEND").flatMap { CalendarStamp($0.plainText) }
        if end == nil, length != nil {
            if line.name == "DTEND" { doubts.note(.end, at: line.number) }
            return event.replacing(["DTEND"], by: [])
        }
        let isRead =
            end != nil && CalendarEntry(event, by: zones, directory).length(in: .utc) != nil
        guard !isRead else { return event }
        doubts.note(.end, at: line.number)
        let rest = CalendarLine("DURATION", raw: start.restOfDay.calendarText)
        return event.replacing(["DTEND"], by: []).replacing(["DURATION"], by: [rest])
    }

    // MARK: Repetition

    /// A rule as far as it can be read, and whether other days have to count as maybe busy.
    mutating func rule(_ line: CalendarLine) -> (text: String?, isUnclear: Bool) {
        guard let (rule, faults) = try? RecurrenceRule.lenient(line.plainText) else {
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
            if text.isTime {
                whole.append(text)
            } else if CalendarStamp(parts[0]) != nil {
                doubts.note(.addition, at: line.number)
                whole.append(parts[0])
            } else {
                doubts.note(.addition, at: line.number)
                days += CalendarStamp(text.prefix(8)) == nil ? [] : [text.prefix(8)]
            }
        }
        // A date beside a timed start means the time of the start, if all are dates.
        let values = whole.isEmpty ? days : whole
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

    /// The day at which the value begins, as a date; `nil` if it begins with no day.
    fileprivate var dayOnly: CalendarLine? {
        let day = plainText.filter { $0 != " " }.prefix(8)
        guard CalendarStamp(day) != nil else { return nil }
        return CalendarLine(name, [("VALUE", "DATE")], raw: String(day))
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
