public import Timekeeping

extension CalendarComponent {
    /// The component with times in forms that fit its start, where the meaning is clear.
    ///
    /// - Of whole days, the day that is written counts, also if another program wrote a time
    ///   (`EXDATE:20261216T000000Z`), so that no date moves with the zone of the reader. A whole
    ///   day that ends before it begins, or when it begins, is one day.
    /// - A date added to a timed event (`RDATE;VALUE=DATE`) has the start time of the event.
    /// - A recurrence rule with an invalid part is used without this part, and one of whole days
    ///   without its times of day.
    ///
    /// - Parameter inDays: true if the whole event consists of whole days.
    /// - Returns: the component; whatever is clear as it stands is unchanged.
    func asMeant(inDays: Bool) -> CalendarComponent {
        let start = line("DTSTART")
        let first = start.flatMap { CalendarStamp($0.plainText) }
        var component = self
        component.items = items.compactMap { item in
            guard case .line(let line) = item else { return item }
            return line.asMeant(inDays: inDays, start: start, first).map(Item.line)
        }
        return component
    }

    /// The component with one end for each rule that states two: the earlier one.
    ///
    /// - Parameters:
    ///   - zones: the zones of the calendar.
    ///   - directory: the zone rules of the system.
    /// - Returns: the component.
    func withOneEnd(by zones: CalendarZones, _ directory: ZoneDirectory) -> CalendarComponent {
        let rules = lines("RRULE")
        guard rules.contains(where: \.hasTwoEnds),
            let start = line("DTSTART").flatMap({ StatedTime($0, by: zones, directory) })
        else { return self }
        let single = rules.map { line in
            guard let rule = try? RecurrenceRule.lenient(line.plainText).rule, rule.limit != nil
            else { return line }
            return line.saying(rule.withOneEnd(from: start.stamp, in: start.zone).description)
        }
        return replacing(["RRULE"], by: single)
    }

    /// The component with a zone for its times that name none.
    func inZone(named zone: String) -> CalendarComponent {
        var component = self
        component.items = items.map { item in
            guard case .line(let line) = item, Self.namedTimes.contains(line.name),
                line.parameter("TZID") == nil, line.hasFloatingTime
            else { return item }
            return .line(line.inZone(named: zone))
        }
        return component
    }

    private static let namedTimes: Set = ["DTSTART", "DTEND", "RECURRENCE-ID", "RDATE", "EXDATE"]

    /// True if the component starts with a date without a time.
    var isOfDays: Bool {
        line("DTSTART").flatMap { CalendarStamp($0.plainText) }?.isDay ?? false
    }
}

extension CalendarComponent {
    /// True if the component changes a date of a series but does not say which one.
    var hasUnclearDate: Bool {
        line("RECURRENCE-ID").map { CalendarStamp($0.plainText.filter { $0 != " " }) == nil }
            ?? false
    }

    /// The components of a calendar that change a date of a series, where nobody can tell which
    /// date: their RECURRENCE-ID is not a time, or is in an unknown zone while the series is in
    /// another.
    ///
    /// - Parameter directory: the zone rules of the system.
    /// - Returns: the components, in the order of the file.
    public func unclearDates(by directory: ZoneDirectory) -> [CalendarComponent] {
        let dates = components.filter { $0.line("RECURRENCE-ID") != nil }
        guard !dates.isEmpty else { return [] }
        let zones = CalendarZones(self)
        let wholes = components.filter { $0.line("RECURRENCE-ID") == nil }.map {
            ($0.line("UID")?.text ?? "", $0.line("DTSTART")?.parameter("TZID") ?? "")
        }
        let zoneNames = Dictionary(wholes) { $1 }
        return dates.filter { date in
            guard !date.hasUnclearDate else { return true }
            guard let line = date.line("RECURRENCE-ID"), line.isInUnknownZone(zones, directory)
            else { return false }
            return zoneNames[date.line("UID")?.text ?? ""].map { $0 != line.parameter("TZID") }
                ?? false
        }
    }

    /// True if the component changes a date of a series in another zone, and its own is unknown.
    ///
    /// - Parameters:
    ///   - series: an object with the series.
    ///   - zones: the zones of the component.
    ///   - directory: the zone rules of the system.
    /// - Returns: true if so.
    func isUnclear(
        besides series: CalendarObject, by zones: CalendarZones, _ directory: ZoneDirectory
    ) -> Bool {
        guard let whole = series.whole, let line = line("RECURRENCE-ID"),
            line.isInUnknownZone(zones, directory)
        else { return false }
        return whole.line("DTSTART")?.parameter("TZID") != line.parameter("TZID")
    }

    /// A calendar without some of its components.
    public func without(_ left: [CalendarComponent]) -> CalendarComponent {
        guard !left.isEmpty else { return self }
        let numbers = Set(left.map(\.number))
        var calendar = self
        calendar.items = items.filter { item in
            guard case .component(let component) = item else { return true }
            return !numbers.contains(component.number)
        }
        return calendar
    }
}

extension CalendarStamp {
    /// True for a date without a time.
    var isDay: Bool { if case .day = self { true } else { false } }

    /// The date that is written, whatever the zone.
    fileprivate var writtenDay: CivilDate {
        switch self {
        case .day(let day): day
        case .wall(let wall): wall.date
        case .utc(let moment): WallTime(secondsSince1970: moment.seconds).date
        }
    }
}

extension RecurrenceRule {
    /// The rule as whole days repeat by it: it ends on the day that is written, and times of day
    /// have no effect.
    fileprivate var ofDays: RecurrenceRule {
        var rule = withoutTimes
        if case .until(let stamp) = end { rule.end = .until(.day(stamp.writtenDay)) }
        rule.limit = limit.map { .day($0.writtenDay) }
        return rule
    }
}

extension CalendarLine {
    /// True if a recurrence rule may state both COUNT and UNTIL.
    fileprivate var hasTwoEnds: Bool {
        let text = plainText.uppercased()
        return text.contains("COUNT=") && text.contains("UNTIL=")
    }

    /// True if a value is a wall-clock time.
    fileprivate var hasFloatingTime: Bool {
        plainText.split { ",/".contains($0) }.contains { text in
            if case .wall? = CalendarStamp(text.filter { $0 != " " }) { true } else { false }
        }
    }

    /// The property as ``CalendarComponent/asMeant(inDays:)`` describes; `nil` if it is left out.
    fileprivate func asMeant(
        inDays: Bool, start: CalendarLine?, _ first: CalendarStamp?
    ) -> CalendarLine? {
        switch name {
        case "RRULE": ruleAsMeant(inDays: inDays)
        case "EXDATE", "RECURRENCE-ID": inDays ? inWrittenDays : withoutBlanks
        case "RDATE":
            inDays
                ? inWrittenDays
                : start.flatMap { start in first.flatMap { atTime(of: start, $0) } }
                    ?? withoutBlanks
        case "DTEND" where first?.isDay == true: endAsMeant(from: first)
        case "DURATION" where first?.isDay == true:
            TimeSpan(calendar: plainText) == .zero ? nil : self
        default: self
        }
    }

    private func ruleAsMeant(inDays: Bool) -> CalendarLine {
        guard let (rule, faults) = try? RecurrenceRule.lenient(plainText) else { return self }
        let meant = inDays ? rule.ofDays : rule
        return faults.isEmpty && meant == rule ? self : saying(meant.description)
    }

    /// The property without blanks between its values.
    private var withoutBlanks: CalendarLine {
        plainText.contains(" ") ? saying(plainText.filter { $0 != " " }) : self
    }

    /// The values as dates.
    private var inWrittenDays: CalendarLine {
        let texts = plainText.split(separator: ",")
        let stamps = texts.map { CalendarStamp($0.prefix { $0 != "/" }.filter { $0 != " " }) }
        guard stamps.contains(where: { $0?.isDay == false }) else { return self }
        let days = zip(texts, stamps).map { text, stamp in
            stamp.map {
                CalendarStamp.day($0.writtenDay).description + Self.length(of: text, from: $0)
            } ?? String(text)
        }
        return dated(days.joined(separator: ","), as: "DATE")
    }

    /// The length of a period of several whole days, as it stands behind the first day; empty for
    /// one day.
    private static func length(of period: Substring, from first: CalendarStamp) -> String {
        guard let text = period.split(separator: "/").dropFirst().first else { return "" }
        let span = TimeSpan(calendar: String(text)).map {
            $0.days + $0.seconds / CivilTime.secondsOfDay
        }
        let last = CalendarStamp(text.filter { $0 != " " })?.writtenDay
        let days = span ?? last.map { $0.daysSince1970 - first.writtenDay.daysSince1970 } ?? 1
        return days > 1 ? "/P\(days)D" : ""
    }

    /// Added dates at the start time of a timed event; `nil` if every value has a time. Beside
    /// times in another zone, dates stay as they are.
    private func atTime(of start: CalendarLine, _ first: CalendarStamp) -> CalendarLine? {
        guard !first.isDay,
            let time = start.plainText.firstIndex(of: "T").map({ start.plainText[$0...] })
        else { return nil }
        let texts = plainText.filter { $0 != " " }.split(separator: ",")
        let isDay = texts.map { CalendarStamp($0)?.isDay == true }
        guard isDay.contains(true) else { return nil }
        let zone = start.parameter("TZID")
        guard !isDay.contains(false) || time.hasSuffix("Z") || zone == parameter("TZID") else {
            return nil
        }
        let values = zip(texts, isDay).map { $1 ? "\($0)\(time)" : String($0) }
        let named = isDay.contains(false) ? self : start
        return CalendarLine(
            name, named.parameters.filter { $0.name == "TZID" }.map { ($0.name, $0.value) },
            raw: values.joined(separator: ","))
    }

    /// The end of a whole day; `nil` if the event is one day long.
    private func endAsMeant(from first: CalendarStamp?) -> CalendarLine? {
        guard let end = CalendarStamp(plainText), let first else { return self }
        guard end.writtenDay > first.writtenDay else { return nil }
        return end.isDay ? self : dated(CalendarStamp.day(end.writtenDay).description, as: "DATE")
    }

    /// The property with another value of another type, without a zone.
    private func dated(_ value: String, as type: String) -> CalendarLine {
        saying(value, type: type)
    }
}

extension CalendarObject {
    /// The components with their times, as their author meant them.
    ///
    /// - Parameters:
    ///   - zones: the zones of the calendar.
    ///   - directory: the zone rules of the system.
    /// - Returns: the components in the order of the file.
    public func entries(by zones: CalendarZones, _ directory: ZoneDirectory) -> [CalendarEntry] {
        let whole = whole
        return components.map {
            CalendarEntry(
                $0.asMeant(inDays: (whole ?? $0).isOfDays).withOneEnd(by: zones, directory),
                by: zones, directory)
        }
    }

    /// The component that describes the whole event and not one date; `nil` if there is none. If it
    /// consists of whole days, its single dates do, too.
    var whole: CalendarComponent? { components.last { $0.line("RECURRENCE-ID") == nil } }
}
