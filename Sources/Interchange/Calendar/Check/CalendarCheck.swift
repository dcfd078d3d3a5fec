public import Timekeeping

extension CalendarReading {
    /// All problems of the file, in its syntax and in its contents.
    ///
    /// - Parameter directory: the zone rules of the system.
    /// - Returns: the problems in the order of their lines.
    public func check(by directory: ZoneDirectory) -> RemarkList<CalendarProblem> {
        var check = CalendarCheck(directory: directory, problems: problems)
        for calendar in calendars { check.look(at: calendar) }
        var found = check.problems
        found.sort()
        return found
    }
}

/// A check of calendar objects that could be read.
struct CalendarCheck {
    let directory: ZoneDirectory
    private(set) var problems: RemarkList<CalendarProblem>
    /// The zones of the current calendar object.
    private(set) var zones = CalendarZones(CalendarComponent("VCALENDAR"))
    /// The zones that the current calendar object describes.
    private var described: Set<String> = []
    /// The range of the starts in each zone in the current calendar object.
    private var times: [String: ClosedRange<Moment>] = [:]
    /// The zones reported as missing in the current calendar object.
    private var undescribed: Set<String> = []
    /// The components of the current calendar object that change single dates, by UID.
    private(set) var changedDates: [String: [CalendarComponent]] = [:]
    /// The kinds, UIDs and dates of the components so far.
    private var seen: Set<[String]> = []
    /// The number of dates that may still be compared with removed ones.
    var comparedLeft = 100_000

    init(directory: ZoneDirectory, problems: RemarkList<CalendarProblem>) {
        self.directory = directory
        self.problems = problems
    }

    mutating func note(
        _ severity: CalendarProblem.Severity, _ line: Int, _ message: String
    ) {
        problems.add(CalendarProblem(severity, line: line, message))
    }

    mutating func look(at calendar: CalendarComponent) {
        zones = CalendarZones(calendar)
        undescribed = []
        described = []
        times = Self.times(in: calendar)
        lookAtHead(of: calendar)
        let isSent = calendar.line("METHOD") != nil
        let named = calendar.namingMidnights
        changedDates = Dictionary(
            grouping: named.components.filter { $0.line("RECURRENCE-ID") != nil }
        ) { $0.line("UID")?.text ?? "" }
        for (said, meant) in zip(calendar.components, named.components) where said != meant {
            note(
                .warning, said.line("RECURRENCE-ID")?.number ?? said.number,
                "RECURRENCE-ID is at midnight; the date of the series on that day is changed.")
        }
        for component in calendar.components {
            if component.name == "VTIMEZONE" {
                look(atZone: component)
            } else if Self.stamped.contains(component.name) {
                look(atEntry: component, isSent: isSent)
            }
        }
        lookForTwins(among: calendar.components)
    }

    private static let yearSeconds: Int64 = 366 * 86_400

    /// The range of the starts in each zone; of a series, also of its first year.
    private static func times(in calendar: CalendarComponent) -> [String: ClosedRange<Moment>] {
        calendar.components.reduce(into: [:]) { times, component in
            guard let line = component.line("DTSTART"), let name = line.parameter("TZID"),
                case .wall(let wall)? = CalendarStamp(line.plainText)
            else { return }
            let moment = Zone.utc.moment(of: wall)
            let last = moment.advanced(
                bySeconds: component.line("RRULE") == nil ? 0 : Self.yearSeconds)
            let known = times[name] ?? moment...last
            times[name] = min(known.lowerBound, moment)...max(known.upperBound, last)
        }
    }

    private mutating func lookAtHead(of calendar: CalendarComponent) {
        switch calendar.line("VERSION")?.plainText {
        case "2.0": break
        case let version?:
            note(.warning, calendar.number, "VERSION is \"\(version)\"; the file is read as 2.0.")
        case nil: note(.warning, calendar.number, "VCALENDAR has no VERSION; it is read as 2.0.")
        }
        if calendar.line("PRODID") == nil {
            note(.warning, calendar.number, "VCALENDAR has no PRODID.")
        }
        noteRepeated(["VERSION", "PRODID", "METHOD", "CALSCALE"], in: calendar)
        if let usual = calendar.line("X-WR-TIMEZONE"), zones.usualZone(by: directory) == nil {
            note(
                .warning, usual.number,
                "X-WR-TIMEZONE is the unknown time zone \"\(usual.plainText.prefix(60))\"; times "
                    + "without a zone are in the reader's own time.")
        } else if let usual = calendar.line("X-WR-TIMEZONE"),
            zones.isUsualZoneOffsetAlone(by: directory)
        {
            note(
                .warning, usual.number,
                "Of the time zone \"\(usual.text.prefix(60))\", only the offset is known; it is "
                    + "used all year.")
        }
        // A zone of vCalendar 1.0 that can be read is described by a component.
        if let zone = calendar.line("TZ"), calendar.line("VERSION")?.plainText == "1.0" {
            note(
                .warning, zone.number,
                "TZ or DAYLIGHT cannot be read; times without a zone are in the reader's own time.")
        }
        if let scale = calendar.line("CALSCALE"), scale.plainText.uppercased() != "GREGORIAN" {
            note(
                .error, scale.number, "CALSCALE must be GREGORIAN, not \"\(scale.plainText)\".")
        }
    }

    private mutating func look(atZone zone: CalendarComponent) {
        guard let name = zone.line("TZID")?.text else {
            return note(.error, zone.number, "VTIMEZONE has no TZID, so no time can use it.")
        }
        if zones.isUnclear(name) {
            note(
                .warning, zone.number,
                "The rules of the time zone \"\(name)\" cannot be read; only its name counts.")
        }
        if !described.insert(name).inserted {
            note(
                .warning, zone.number,
                "The time zone \"\(name)\" is described twice; the first description is used.")
        } else if let times = times[name], zones.isOverruled(name, within: times, by: directory) {
            note(
                .warning, zone.number,
                "The time zone \"\(name)\" is described with other rules than in the tz database, "
                    + "whose rules are used.")
        } else if let times = times[name], zones.differsFromName(name, within: times, by: directory)
        {
            note(
                .warning, zone.number,
                "The time zone \"\(name)\" is described with other rules than its name means; the "
                    + "description is used.")
        }
        if !zone.components.contains(where: { $0.name == "STANDARD" }) {
            note(
                .warning, zone.number,
                "The time zone \"\(name)\" has no STANDARD part; some programs reject it.")
        }
    }

    /// Reports components with the same UID and occurrence, in this calendar object or an earlier
    /// one of the file. They are versions of one, and the newest is used.
    private mutating func lookForTwins(among components: [CalendarComponent]) {
        for component in components {
            guard let uid = component.line("UID")?.text, !uid.isEmpty else { continue }
            let date = component.line("RECURRENCE-ID")?.plainText ?? ""
            guard !seen.insert([component.name, uid, date]).inserted else { continue }
            note(
                .warning, component.number,
                "\(component.name) appears twice with this UID\(date.isEmpty ? "" : " and date"); "
                    + "the newest version is used, or the last of equal ones.")
        }
    }

    /// Reports properties that may appear once but appear several times.
    mutating func noteRepeated(_ names: [String], in component: CalendarComponent) {
        for name in names {
            guard let second = component.lines(name).dropFirst().first else { continue }
            let texts = Set(component.lines(name).map(\.plainText)).subtracting([""])
            note(
                .warning, second.number,
                name == "RRULE" && component.name == "VEVENT" && texts.count > 1
                    ? "RRULE appears several times with different rules, so an import makes no "
                        + "meeting of the event."
                    : "\(name) appears several times; the first one is used.")
        }
    }

    /// The time in a property. Its problems are reported.
    mutating func time(_ line: CalendarLine) -> StatedTime? {
        guard let time = StatedTime(line, by: zones, directory) else {
            note(
                .error, line.number, "\(line.name) is not a time: \"\(line.plainText.prefix(40))\"")
            return nil
        }
        noteZone(of: time, line)
        noteName(of: time, line)
        return time
    }

    /// Reports a zone that is named but not described, or named for a time in UTC.
    private mutating func noteName(of time: StatedTime, _ line: CalendarLine) {
        guard let name = line.parameter("TZID"), !time.isDay else { return }
        if case .utc = time.stamp {
            note(.warning, line.number, "\(line.name) is in UTC, so its TZID is ignored.")
        } else if let zone = time.zone, Zone.isOffsetAlone(zone, named: name) {
            note(
                .warning, line.number,
                "Of the time zone \"\(name)\", only the offset is known; it is used all year.")
        } else if time.unknownZone == nil, time.zone != nil, !zones.describes(name),
            undescribed.insert(name).inserted
        {
            note(
                .warning, line.number,
                "The file does not define the time zone \"\(name)\"; some programs need it.")
        }
    }

    /// The times in a property with several values. Their problems are reported.
    mutating func times(_ line: CalendarLine) -> [StatedTime] {
        let zone = line.parameter("TZID")
        return line.plainText.split(separator: ",").compactMap { text in
            // For a period, the start is used.
            let start = text.prefix { $0 != "/" }.filter { $0 != " " }
            guard let time = StatedTime(start, zone: zone, by: zones, directory) else {
                note(.error, line.number, "\(line.name) is not a time: \"\(text.prefix(40))\"")
                return nil
            }
            noteZone(of: time, line)
            return time
        }
    }

    private mutating func noteZone(of time: StatedTime, _ line: CalendarLine) {
        guard let unknown = time.unknownZone else { return }
        let reading = time.zone.map { "it is read in \($0.id), the time zone of the calendar" }
        note(
            .warning, line.number,
            "\(line.name) is in the unknown time zone \"\(unknown)\"; "
                + "\(reading ?? "its clock time is kept as it is").")
    }
}
