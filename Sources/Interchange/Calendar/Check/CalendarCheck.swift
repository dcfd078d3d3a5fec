public import Timekeeping

extension CalendarReading {
    /// All that is wrong with the file: how it is written, and what it says.
    ///
    /// - Parameter directory: the zone rules of the system.
    /// - Returns: the problems in the order of their lines, at most
    ///   ``CalendarReader/problemsMax``.
    public func check(by directory: ZoneDirectory) -> [CalendarProblem] {
        var check = CalendarCheck(directory: directory)
        for calendar in calendars { check.look(at: calendar) }
        return (problems + check.problems).sorted { $0.line < $1.line }
            .prefix(CalendarReader.problemsMax).map(\.self)
    }
}

/// Looks for what is wrong with calendar objects that could be read.
struct CalendarCheck {
    let directory: ZoneDirectory
    private(set) var problems: [CalendarProblem] = []
    /// The zones of the calendar object that is looked at.
    private var zones = CalendarZones(CalendarComponent("VCALENDAR"))
    /// Those that were missed in it.
    private var undescribed: Set<String> = []

    init(directory: ZoneDirectory) {
        self.directory = directory
    }

    mutating func note(
        _ severity: CalendarProblem.Severity, _ line: Int, _ message: String
    ) {
        guard problems.count < CalendarReader.problemsMax else { return }
        problems.append(CalendarProblem(severity, line: line, message))
    }

    mutating func look(at calendar: CalendarComponent) {
        zones = CalendarZones(calendar)
        undescribed = []
        lookAtHead(of: calendar)
        let isSent = calendar.line("METHOD") != nil
        for component in calendar.components {
            if component.name == "VTIMEZONE" {
                look(atZone: component)
            } else if Self.stamped.contains(component.name) {
                look(atEntry: component, isSent: isSent)
            }
        }
        lookForTwins(among: calendar.components)
    }

    private mutating func lookAtHead(of calendar: CalendarComponent) {
        switch calendar.line("VERSION")?.plainText {
        case "2.0": break
        case let version?:
            note(.warning, calendar.number, "VERSION is \(version): it is read as 2.0.")
        case nil: note(.warning, calendar.number, "VCALENDAR has no VERSION: it is read as 2.0.")
        }
        if calendar.line("PRODID") == nil {
            note(.warning, calendar.number, "VCALENDAR has no PRODID.")
        }
        noteRepeated(["VERSION", "PRODID", "METHOD", "CALSCALE"], in: calendar)
        if let scale = calendar.line("CALSCALE"), scale.plainText.uppercased() != "GREGORIAN" {
            note(
                .error, scale.number, "CALSCALE is \(scale.plainText): only GREGORIAN is read.")
        }
    }

    private mutating func look(atZone zone: CalendarComponent) {
        guard let name = zone.line("TZID")?.text else {
            return note(.error, zone.number, "VTIMEZONE has no TZID: no time can name it.")
        }
        if zones.isUnclear(name) {
            note(
                .warning, zone.number,
                "The rules of the zone \(name) are not understood; its name alone is looked at.")
        }
        if !zone.components.contains(where: { $0.name == "STANDARD" }) {
            note(
                .warning, zone.number,
                "The zone \(name) has no STANDARD time: some programs refuse it.")
        }
    }

    /// Two that are of one UID and one date are versions of one: the last counts.
    private mutating func lookForTwins(among components: [CalendarComponent]) {
        var seen: Set<[String]> = []
        for component in components {
            guard let uid = component.line("UID")?.text, !uid.isEmpty else { continue }
            let date = component.line("RECURRENCE-ID")?.plainText ?? ""
            guard !seen.insert([component.name, uid, date]).inserted else { continue }
            note(
                .warning, component.number,
                "The \(component.name) of this UID\(date.isEmpty ? "" : " and date") stands twice.")
        }
    }

    /// Notes what may stand once and stands several times.
    mutating func noteRepeated(_ names: [String], in component: CalendarComponent) {
        for name in names {
            guard let second = component.lines(name).dropFirst().first else { continue }
            note(.warning, second.number, "\(name) stands several times: the first counts.")
        }
    }

    /// What a property states as a time; what is wrong with it is noted.
    mutating func time(_ line: CalendarLine) -> StatedTime? {
        guard let time = StatedTime(line, by: zones, directory) else {
            note(.error, line.number, "\(line.name) is no time: \(line.plainText.prefix(40))")
            return nil
        }
        noteZone(time.unknownZone, of: line)
        noteName(of: time, line)
        return time
    }

    /// A zone that is named and not described, or named for nothing.
    private mutating func noteName(of time: StatedTime, _ line: CalendarLine) {
        guard let name = line.parameter("TZID"), !time.isDay else { return }
        if case .utc = time.stamp {
            note(.warning, line.number, "\(line.name) is in UTC: its TZID counts for nothing.")
        } else if time.zone != nil, !zones.describes(name), undescribed.insert(name).inserted {
            note(
                .warning, line.number,
                "The zone \(name) is not described in the file: some programs do not know it.")
        }
    }

    /// The same of each of its values.
    mutating func times(_ line: CalendarLine) -> [StatedTime] {
        let zone = line.parameter("TZID")
        return line.plainText.split(separator: ",").compactMap { text in
            // Of a period its start counts.
            let start = text.prefix { $0 != "/" }
            guard let time = StatedTime(start, zone: zone, by: zones, directory) else {
                note(.error, line.number, "\(line.name) is no time: \(text.prefix(40))")
                return nil
            }
            noteZone(time.unknownZone, of: line)
            return time
        }
    }

    private mutating func noteZone(_ unknown: String?, of line: CalendarLine) {
        guard let unknown else { return }
        note(
            .warning, line.number,
            "\(line.name) is in the zone \(unknown), which nobody knows: the time on the wall is "
                + "kept."
        )
    }
}
