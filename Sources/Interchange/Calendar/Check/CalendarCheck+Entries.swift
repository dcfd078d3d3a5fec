import Timekeeping

extension CalendarCheck {
    /// The components that need a DTSTAMP.
    static let stamped: Set = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"]

    /// The properties that a component may have only once (RFC 5545, 3.6.1).
    private static let onlyOnce = [
        "UID", "DTSTAMP", "DTSTART", "DTEND", "DUE", "DURATION", "SUMMARY", "DESCRIPTION",
        "LOCATION", "GEO", "URL", "STATUS", "SEQUENCE", "TRANSP", "CLASS", "CREATED",
        "LAST-MODIFIED", "RECURRENCE-ID", "RRULE", "ORGANIZER", "PRIORITY",
    ]

    mutating func look(atEntry entry: CalendarComponent, isSent: Bool) {
        noteRepeated(
            entry.name == "VJOURNAL"
                ? Self.onlyOnce.filter { $0 != "DESCRIPTION" } : Self.onlyOnce, in: entry)
        for name in ["UID", "DTSTAMP"] where entry.line(name)?.plainText.isEmpty ?? true {
            note(.warning, entry.number, "\(entry.name) has no \(name).")
        }
        let start = entry.line("DTSTART").flatMap { time($0) }
        if entry.name == "VEVENT", entry.line("DTSTART") == nil {
            note(
                isSent ? .warning : .error, entry.number,
                "VEVENT has no DTSTART, so its start is unknown.")
        }
        lookAtEnd(of: entry, from: start)
        lookAtRecurrence(of: entry, from: start)
        lookAtNumbers(of: entry)
        for alarm in entry.components where alarm.name == "VALARM" { look(atAlarm: alarm) }
    }

    private mutating func lookAtEnd(of entry: CalendarComponent, from start: StatedTime?) {
        let line = entry.line("DTEND") ?? entry.line("DUE")
        if let length = entry.line("DURATION") {
            if TimeSpan(calendar: length.plainText) == nil {
                note(
                    .error, length.number, "DURATION is invalid: \"\(length.plainText.prefix(40))\""
                )
            }
            if line?.name == "DTEND" {
                note(.warning, length.number, "DTEND and DURATION are both set; DTEND is used.")
            }
        }
        guard let line, let end = time(line), let start else { return }
        if end.isDay != start.isDay {
            note(.warning, line.number, "\(line.name) and DTSTART must both be dates or times.")
        }
        if !end.isDay, !start.isDay, (end.moment == nil) != (start.moment == nil) {
            note(
                .warning, line.number,
                "Of \(line.name) and DTSTART, only one has a time zone; the other is in the "
                    + "reader's own time.")
        }
        if line.name == "DTEND", end.isDay, start.isDay,
            end.moment(in: .utc) <= start.moment(in: .utc)
        {
            return note(
                .warning, line.number,
                "DTEND must be the day after the last day, but it is not after DTSTART; the event "
                    + "is read as one day.")
        }
        if end.moment(in: .utc) < start.moment(in: .utc), end.isDay == start.isDay,
            (end.moment == nil) == (start.moment == nil)
        {
            note(.error, line.number, "\(line.name) is before DTSTART.")
        }
    }

    private mutating func lookAtRecurrence(
        of entry: CalendarComponent, from start: StatedTime?
    ) {
        for line in entry.lines("RRULE") { look(atRule: line, from: start) }
        for line in entry.lines("RDATE") + entry.lines("EXDATE") {
            note(times(line), in: line, from: start)
        }
        for line in entry.lines("RDATE") { noteEmptyPeriod(in: line) }
        noteUnmetDates(in: entry)
        guard let line = entry.line("RECURRENCE-ID"), time(line) != nil else { return }
        if entry.line("RRULE") != nil {
            note(
                .warning, line.number,
                "A single occurrence of a series has an RRULE, which an import does not use.")
        }
        if let range = line.parameter("RANGE"), range.uppercased() != "THISANDFUTURE" {
            note(.warning, line.number, "RANGE is \"\(range)\"; only THISANDFUTURE is allowed.")
        }
    }

    /// Reports added and removed dates that differ in kind from the start.
    private mutating func note(
        _ times: [StatedTime], in line: CalendarLine, from start: StatedTime?
    ) {
        guard let start, times.contains(where: { $0.isDay != start.isDay }) else { return }
        guard start.isDay || line.name == "RDATE" else { return }
        note(
            .warning, line.number,
            start.isDay
                ? "\(line.name) has a time, but the event is of whole days; only its day counts."
                : "\(line.name) has no time; the start time of the event is used.")
    }

    private mutating func look(atRule line: CalendarLine, from start: StatedTime?) {
        do throws(RecurrenceFault) {
            let (rule, faults) = try RecurrenceRule.lenient(line.plainText)
            for fault in faults {
                note(.error, line.number, "RRULE: \(fault); the rest of the rule is used.")
            }
            guard let start else { return }
            if start.isDay, rule.withoutTimes != rule {
                note(
                    .warning, line.number,
                    "RRULE names times of day, but the event is of whole days; they are ignored.")
            }
            _ = try Recurrence(start: start.stamp, in: start.zone, rule: rule)
            if start.isBehind(rule, else: .utc) {
                note(
                    .warning, line.number,
                    "UNTIL is before DTSTART, so the event takes place only once.")
            }
            guard case .until(let end) = rule.end, !end.isOfKind(of: start) else { return }
            note(
                .warning, line.number,
                "UNTIL and DTSTART differ in kind: both must be dates or both times, and UNTIL "
                    + "must be in UTC if DTSTART has a time zone.")
        } catch {
            note(.error, line.number, "RRULE: \(error)")
        }
    }

    private mutating func lookAtNumbers(of entry: CalendarComponent) {
        if let line = entry.line("SEQUENCE"), Int32(line.plainText).map({ $0 < 0 }) ?? true {
            note(
                .warning, line.number, "SEQUENCE is not a number: \"\(line.plainText.prefix(40))\"")
        }
        guard let line = entry.line("GEO") else { return }
        // Some programs escape the separator between the two numbers.
        let parts = line.text.split(separator: ";").map { Double($0) }
        let isPlace =
            parts.count == 2 && (parts[0].map { abs($0) <= 90 } ?? false)
            && (parts[1].map { abs($0) <= 180 } ?? false)
        if !isPlace {
            note(
                .warning, line.number, "GEO is not a latitude and longitude: \"\(line.plainText)\"")
        }
    }

    private mutating func look(atAlarm alarm: CalendarComponent) {
        guard let trigger = alarm.line("TRIGGER") else {
            return note(.warning, alarm.number, "VALARM has no TRIGGER, so it never goes off.")
        }
        let text = trigger.plainText
        let span = text.hasPrefix("-") ? String(text.dropFirst()) : text
        if case .wall? = CalendarStamp(text) {
            let isOfOwnZone = StatedTime(trigger, by: zones, directory)?.zone != nil
            note(
                .warning, trigger.number,
                "TRIGGER must be in UTC; it is read in "
                    + (isOfOwnZone ? "its own time zone." : "the time zone of the event."))
        }
        guard TimeSpan(calendar: span) == nil, CalendarStamp(text) == nil else { return }
        note(.warning, trigger.number, "TRIGGER is not a time or duration: \"\(text.prefix(40))\"")
    }
}

extension CalendarStamp {
    /// True if this may be the end of a rule with that start (RFC 5545, 3.3.10).
    fileprivate func isOfKind(of start: StatedTime) -> Bool {
        switch (self, start.stamp) {
        case (.day, .day): true
        case (.wall, .wall): start.zone == nil
        case (.utc, .wall): start.zone != nil
        case (.utc, .utc): true
        case (.day, _), (.wall, _), (.utc, .day): false
        }
    }
}
