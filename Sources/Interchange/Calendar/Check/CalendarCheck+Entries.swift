import Timekeeping

extension CalendarCheck {
    /// What takes place, or is to be done: it has a DTSTAMP.
    static let stamped: Set = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"]

    /// What stands once in what takes place (RFC 5545, 3.6.1).
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
                "VEVENT has no DTSTART: it does not say when it begins.")
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
                note(.error, length.number, "DURATION is no length: \(length.plainText.prefix(40))")
            }
            if line?.name == "DTEND" {
                note(.warning, length.number, "DTEND and DURATION stand together: DTEND counts.")
            }
        }
        guard let line, let end = time(line), let start else { return }
        if end.isDay != start.isDay {
            note(.warning, line.number, "\(line.name) is a day and DTSTART a time, or the reverse.")
        }
        if !end.isDay, !start.isDay, (end.moment == nil) != (start.moment == nil) {
            note(
                .warning, line.number,
                "\(line.name) is by the clocks of a zone and DTSTART by those of whoever reads it, "
                    + "or the reverse.")
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
        for line in entry.lines("RDATE") + entry.lines("EXDATE") { _ = times(line) }
        guard let line = entry.line("RECURRENCE-ID"), time(line) != nil else { return }
        if entry.line("RRULE") != nil {
            note(.warning, line.number, "One date of a series repeats itself: it has an RRULE.")
        }
        if let range = line.parameter("RANGE"), range.uppercased() != "THISANDFUTURE" {
            note(.warning, line.number, "RANGE is \(range): only THISANDFUTURE means anything.")
        }
    }

    private mutating func look(atRule line: CalendarLine, from start: StatedTime?) {
        do throws(RecurrenceFault) {
            let rule = try RecurrenceRule(line.plainText)
            guard let start else { return }
            _ = try Recurrence(start: start.stamp, in: start.zone, rule: rule)
            guard case .until(let end) = rule.end, !end.isOfKind(of: start) else { return }
            note(
                .warning, line.number,
                "UNTIL is not of the kind of DTSTART: it is a day where that is a time, or a time "
                    + "on the wall where that has a zone.")
        } catch {
            note(.error, line.number, "RRULE: \(error)")
        }
    }

    private mutating func lookAtNumbers(of entry: CalendarComponent) {
        if let line = entry.line("SEQUENCE"), Int32(line.plainText).map({ $0 < 0 }) ?? true {
            note(.warning, line.number, "SEQUENCE is no number: \(line.plainText.prefix(40))")
        }
        guard let line = entry.line("GEO") else { return }
        // Some programs escape what parts both numbers.
        let parts = line.text.split(separator: ";").map { Double($0) }
        let isPlace =
            parts.count == 2 && (parts[0].map { abs($0) <= 90 } ?? false)
            && (parts[1].map { abs($0) <= 180 } ?? false)
        if !isPlace {
            note(.warning, line.number, "GEO is no latitude and longitude: \(line.plainText)")
        }
    }

    private mutating func look(atAlarm alarm: CalendarComponent) {
        guard let trigger = alarm.line("TRIGGER") else {
            return note(.warning, alarm.number, "VALARM has no TRIGGER: it never goes off.")
        }
        let text = trigger.plainText
        let span = text.hasPrefix("-") ? String(text.dropFirst()) : text
        guard TimeSpan(calendar: span) == nil, CalendarStamp(text) == nil else { return }
        note(.warning, trigger.number, "TRIGGER is no time and no length: \(text.prefix(40))")
    }
}

extension CalendarStamp {
    /// Whether it may end what begins so (RFC 5545, 3.3.10).
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
