/// The properties that an import of calendars does not use.
extension CalendarReading {
    /// The properties of events that a meeting is read from, or that say nothing about it.
    private static let used: Set = [
        "UID", "DTSTAMP", "SEQUENCE", "CREATED", "LAST-MODIFIED", "DTSTART", "DTEND", "DURATION",
        "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "SUMMARY", "DESCRIPTION", "LOCATION",
        "URL", "STATUS", "CLASS", "TRANSP", "X-MICROSOFT-CDO-BUSYSTATUS",
        "X-MICROSOFT-CDO-ALLDAYEVENT", "X-FUNAMBOL-ALLDAY",
    ]

    /// True if a property of an event says something that its meeting does not: without a URL, the
    /// link of a conference is said, and without a place, its position is not.
    private static func isUnused(_ line: CalendarLine, in event: CalendarComponent) -> Bool {
        if line.name == "GEO" { return event.line("LOCATION") == nil }
        let isLink =
            CalendarEntry.conferences.contains(line.name) && event.line("URL") == nil
        return !used.contains(line.name) && !(isLink && line.plainText.hasPrefix("https://"))
    }

    /// The properties of events that no meeting has a place for, in the order of the file.
    public var unused: [UnusedData] {
        var reading = CardReading()
        for event in calendars.flatMap(\.components) where event.name == "VEVENT" {
            for line in event.lines where Self.isUnused(line, in: event) {
                reading.leaveOut(.property, line.name, line: line.number)
            }
        }
        return reading.unused
    }
}
