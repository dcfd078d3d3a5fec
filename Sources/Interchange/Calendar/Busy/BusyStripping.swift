import Timekeeping

/// Removes private data from a calendar, so that only times are left.
struct BusyStripping {
    /// The name under which all unknown zones are stored.
    static let unknownZone = "?"

    /// The doubts so far.
    private(set) var doubts: BusyDoubts
    /// The number of dates that may still be compared to split series.
    private(set) var datesLeft: Int
    private let calendar: CalendarComponent
    private let number: Int
    private let addresses: [String]
    private let known: Set<String>
    private let zones: CalendarZones
    private let directory: ZoneDirectory
    /// The names of zones, with whether they are known.
    private var names: [String: Bool] = [:]
    /// The zones for times beyond the descriptions of zones, by these zones and by days; `nil` if
    /// there is none.
    private var lastingZones: [String: String?] = [:]

    init(
        _ calendar: CalendarComponent, number: Int, of addresses: [String],
        besides known: Set<String>, by directory: ZoneDirectory, _ doubts: BusyDoubts,
        datesLeft: Int
    ) {
        self.datesLeft = datesLeft
        self.calendar = calendar.namingDates(by: directory)
        self.number = number
        self.addresses = addresses
        self.known = known
        self.directory = directory
        self.doubts = doubts
        zones = CalendarZones(calendar)
    }

    mutating func stripped() -> CalendarComponent {
        var components: [CalendarComponent] = []
        if let usual = calendar.line("X-WR-TIMEZONE"),
            zones.isUsualZoneOffsetAlone(by: directory)
        {
            doubts.note(.offset, at: usual.number)
        }
        for (place, object) in CalendarObject.all(in: calendar).enumerated()
        where !known.contains(object.uid) {
            switch object.kind {
            case "VEVENT": components += events(of: object, called: "\(number)-\(place)")
            case "VFREEBUSY": components += object.components.compactMap { periods(of: $0) }
            case "VAVAILABILITY":
                var reading = AvailabilityReading(doubts, zones, directory)
                components += object.components.map { reading.stripped($0) }
                doubts = reading.doubts
            default: break
            }
        }
        let used = Set(components.flatMap(\.zoneNames))
        let described = calendar.components.filter {
            $0.name == "VTIMEZONE" && used.contains($0.line("TZID")?.text ?? "")
        }.map(zone)
        let usual = zones.usualZone(by: directory).map {
            CalendarLine("X-WR-TIMEZONE", text: $0.id)
        }
        return CalendarComponent(
            "VCALENDAR", [usual].compactMap(\.self), described + components)
    }

    /// A zone reduced to its rules, and the known zone that it names. Of rules that cannot be read
    /// nothing is kept, because a part of them would be another zone.
    private func zone(_ zone: CalendarComponent) -> CalendarComponent {
        let readable = zones.isUnclear(zone.zoneName) ? [] : zone.components
        let parts = readable.map { part in
            let rules = part.lines("RRULE").compactMap { line in
                (try? RecurrenceRule.lenient(line.plainText)).map {
                    CalendarLine("RRULE", raw: $0.rule.description)
                }
            }
            let offsets = ["TZOFFSETFROM", "TZOFFSETTO"].flatMap { part.lines($0) }.map {
                CalendarLine($0.name, raw: String($0.plainText.prefix(9)))
            }
            return CalendarComponent(
                part.name,
                (part.lines("DTSTART") + part.lines("RDATE")).compactMap(\.timesAlone)
                    + rules + offsets)
        }
        let located = zone.lines("X-LIC-LOCATION").filter {
            directory.zoneIfKnown($0.text) != nil
        }
        return CalendarComponent(
            "VTIMEZONE",
            (zone.lines("TZID") + located).map { CalendarLine($0.name, text: $0.text) }, parts)
    }

    // MARK: Events

    private mutating func events(
        of object: CalendarObject, called name: String
    ) -> [CalendarComponent] {
        // Times without a zone are in that of the series, otherwise in that of the calendar.
        let zone =
            object.whole?.line("DTSTART")?.parameter("TZID").flatMap { $0.isEmpty ? nil : $0 }
            ?? zones.usualZone(by: directory)?.id
        let components = lasting(
            zone.map { zone in
                object.components.map { $0.inZone(named: zone) }
            } ?? object.components)
        noteFollowing(in: object)
        let odd = components.filter { hasUnclearDate($0, of: object.whole) }
        let (newest, twins) = newest(
            of: components.filter { !hasUnclearDate($0, of: object.whole) }, from: object.whole)
        let inDays = object.whole?.isOfDays
        let isWhole = object.isWhole
        var events: [CalendarComponent] = []
        for (place, component) in Self.inEffect(newest).enumerated() {
            // A date that repeats, without its series, is a series.
            let isSeries = !isWhole && component.line("RRULE") != nil
            events += event(
                isSeries ? component.replacing(["RECURRENCE-ID"], by: []) : component,
                called: isSeries ? "\(name)-\(place)" : name, inDays: inDays,
                isWhole: isWhole)
        }
        for (place, twin) in twins.enumerated() {
            doubts.note(.twins, at: twin.number)
            events += event(
                twin, called: "\(name)-\(place)", inDays: inDays, isWhole: isWhole)
        }
        for (place, date) in odd.enumerated() {
            doubts.note(.date, at: date.number)
            events += event(
                date.replacing(["RECURRENCE-ID"], by: []).replacing(["RRULE"], by: []),
                called: "\(name)-date-\(place)", inDays: inDays, isWhole: isWhole)
        }
        return events
    }

    /// The components of an event with their clock times in a known zone, if the description of
    /// their zone ends before it or one of its dates.
    private mutating func lasting(_ components: [CalendarComponent]) -> [CalendarComponent] {
        let main = components.last { $0.line("RECURRENCE-ID") == nil } ?? components.last
        guard let main, let line = main.line("DTSTART"), let name = line.parameter("TZID"),
            zones.usesDescription(of: name, by: directory)
        else { return components }
        let repeats = ["RRULE", "RDATE"].contains { main.line($0) != nil }
        // Zones are compared up to the start, so that the time of day does not matter.
        let key = "\(name) \(line.plainText.prefix(8)) \(repeats)"
        let known =
            lastingZones[key]
            ?? StatedTime(line, by: zones, directory).flatMap {
                zones.zoneBeyondDescription(
                    of: $0, repeats: repeats, besides: zones.usualZone(by: directory) ?? .utc,
                    by: directory)?.id
            }
        lastingZones[key] = .some(known)
        guard let known else { return components }
        let moved = line.inZone(named: known, insteadOf: name)
        if repeats || moment(of: moved) != moment(of: line) {
            doubts.note(.endedZone, at: line.number)
        }
        return components.map { $0.inZone(named: known, insteadOf: name) }
    }

    private func moment(of line: CalendarLine) -> Moment? {
        StatedTime(line, by: zones, directory)?.moment
    }

    /// Notes a change of all later dates where the rule of the series cannot be split.
    private mutating func noteFollowing(in object: CalendarObject) {
        let change = object.components.first {
            $0.line("RECURRENCE-ID")?.parameter("RANGE") != nil
        }
        guard let change, object.isWhole,
            object.parts(by: directory, datesLeft: &datesLeft) == [object]
        else { return }
        doubts.note(.following, at: change.number)
    }

    /// True for a changed date that cannot be told among those of its series.
    private func hasUnclearDate(
        _ component: CalendarComponent, of whole: CalendarComponent?
    ) -> Bool {
        guard let line = component.line("RECURRENCE-ID"), !component.hasUnclearDate else {
            return component.hasUnclearDate
        }
        return line.isInUnknownZone(zones, directory)
            && line.parameter("TZID") != whole?.line("DTSTART")?.parameter("TZID")
    }

    /// The components without the dates that a newer or equal cancellation of their series ends
    /// (RFC 5546, 3.2.5).
    private static func inEffect(_ newest: [CalendarComponent]) -> [CalendarComponent] {
        let series = newest.first { $0.line("RECURRENCE-ID") == nil }
        guard let series, series.isCancelled else { return newest }
        return newest.filter { $0.line("RECURRENCE-ID") == nil || series.isOlder(than: $0) }
    }

    /// The newest version of each event and of each occurrence, and others of the same version
    /// with other times.
    private func newest(
        of components: [CalendarComponent], from whole: CalendarComponent?
    ) -> (newest: [CalendarComponent], twins: [CalendarComponent]) {
        let start = whole?.line("DTSTART").flatMap { StatedTime($0, by: zones, directory) }
        var versions: [String: [CalendarComponent]] = [:]
        var order: [String] = []
        for component in components {
            let date = component.dateName(from: start, in: .utc, by: zones, directory)
            guard let last = versions[date]?.last else {
                order.append(date)
                versions[date] = [component]
                continue
            }
            if last.isOlder(than: component) {
                versions[date] = [component]
            } else if !component.isOlder(than: last) {
                versions[date]?.append(component)
            }
        }
        var (newest, twins): ([CalendarComponent], [CalendarComponent]) = ([], [])
        for version in order.compactMap({ versions[$0] }) {
            var seen: Set<[String]> = []
            // Of equal ones, the last one counts.
            let different = version.reversed().filter { seen.insert($0.signature).inserted }
            newest += different.prefix(1)
            twins += different.dropFirst()
        }
        return (newest, twins)
    }

    /// An event reduced to its times, and the times at which it may take place beside them; nothing
    /// if it takes no time. An occurrence of a series that takes no time is kept, because it
    /// overrides the series.
    private mutating func event(
        _ event: CalendarComponent, called name: String, inDays: Bool?, isWhole: Bool
    ) -> [CalendarComponent] {
        let claim = BusyClaim(of: event, addresses: addresses)
        guard claim != .none || event.line("RECURRENCE-ID") != nil && isWhole else { return [] }
        var repair = BusyRepair(doubts, zones, directory)
        let readable = repair.readable(
            event, inDays: inDays,
            isOfSeries: isWhole && event.line("RECURRENCE-ID") != nil)
        let isOfDays = readable?.isOfDays ?? false
        let read = zip(event.lines("RRULE"), readable?.lines("RRULE") ?? [])
            .filter { said, _ in !said.plainText.allSatisfy(\.isWhitespace) }
            .map { said, meant in
                (repair.rule(said, inDays: isOfDays), try? RecurrenceRule(meant.plainText))
            }
        doubts = repair.doubts
        guard let readable else { return [] }
        let times = ["RECURRENCE-ID", "DTSTART", "DTEND", "DURATION", "RDATE", "EXDATE"]
            .flatMap { readable.lines($0) }.compactMap { stripped($0) }
        let repeats = read.compactMap { said, meant in
            said.text.map { CalendarLine("RRULE", raw: meant?.description ?? $0) }
        }
        let plain = [CalendarLine("UID", raw: name), CalendarLine("STATUS", raw: claim.rawValue)]
        let unclear = read.first { $0.0.isUnclear }
        return [CalendarComponent("VEVENT", plain + times + repeats)]
            + (unclear.map { [daily(times, called: name, until: $0.1)] } ?? [])
    }

    /// The same hours of all days, for an event whose repetition is not clear.
    private func daily(
        _ times: [CalendarLine], called name: String, until rule: RecurrenceRule?
    ) -> CalendarComponent {
        var end = ""
        if case .until(let stamp)? = rule?.end { end = ";UNTIL=\(stamp)" }
        let shown = times.filter { ["DTSTART", "DTEND", "DURATION"].contains($0.name) }
        return CalendarComponent(
            "VEVENT",
            [
                CalendarLine("UID", raw: "\(name)-daily"),
                CalendarLine("STATUS", raw: BusyClaim.tentative.rawValue),
            ] + shown + [CalendarLine("RRULE", raw: "FREQ=DAILY\(end)")])
    }

    // MARK: Lines

    private mutating func periods(of component: CalendarComponent) -> CalendarComponent? {
        var repair = BusyRepair(doubts, zones, directory)
        let lines = component.lines("FREEBUSY").filter {
            $0.parameter("FBTYPE")?.uppercased() != "FREE"
        }.compactMap { repair.periods($0) }
        doubts = repair.doubts
        let times = lines.compactMap { stripped($0) }
        return times.isEmpty ? nil : CalendarComponent("VFREEBUSY", times)
    }

    /// A line of an event that contains only times; `nil` if there are none.
    private mutating func stripped(_ line: CalendarLine) -> CalendarLine? {
        guard let times = line.timesAlone else { return nil }
        guard let name = line.parameter("TZID"), !name.isEmpty, name != Self.unknownZone,
            times.hasWallTime
        else { return times }
        let isKnown = names[name] ?? !zones.isUnknown(name, by: directory)
        names[name] = isKnown
        if let zone = zones.zone(name, by: directory), Zone.isOffsetAlone(zone, named: name) {
            doubts.note(.offset, at: line.number)
        }
        guard !isKnown else { return times }
        // An exception that cannot be told counts as busy.
        guard line.name != "EXDATE" else {
            doubts.note(.exception, at: line.number)
            return nil
        }
        if line.name != "DTEND" { doubts.note(.zone(name), at: line.number) }
        let others = times.parameters.filter { $0.name != "TZID" }
        return CalendarLine(
            line.name, others.map { ($0.name, $0.value) } + [("TZID", Self.unknownZone)],
            raw: times.plainText)
    }
}

extension CalendarLine {
    /// The parameters that affect how a time is read.
    private static let parametersOfTimes: Set = ["TZID", "VALUE", "RANGE", "FBTYPE"]

    /// The line with its times or its length, without values that cannot be read; `nil` if there
    /// are none.
    var timesAlone: CalendarLine? {
        let said = parameters.filter { Self.parametersOfTimes.contains($0.name) }
            .map { ($0.name, $0.value) }
        guard name != "DURATION" else {
            return TimeSpan(calendar: plainText).map {
                CalendarLine(name, said, raw: $0.calendarText)
            }
        }
        let texts = values.filter(\.isTime)
        return texts.isEmpty
            ? nil : CalendarLine(name, said, raw: texts.joined(separator: ","))
    }

    /// True if a value is a wall-clock time, whose zone matters.
    var hasWallTime: Bool {
        values.contains {
            if case .wall = CalendarStamp($0.prefix { $0 != "/" }) { true } else { false }
        }
    }
}

extension CalendarComponent {
    /// The properties by whose times two versions of an event are told apart.
    fileprivate var signature: [String] {
        ["DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "STATUS", "TRANSP"].map {
            lines($0).map { "\($0.parameter("TZID") ?? "") \($0.plainText)" }
                .joined(separator: " ")
        }
    }
}
