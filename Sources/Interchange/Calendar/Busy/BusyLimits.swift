/// The limits of a calendar of busy times, beside those of ``CalendarReader``.
public enum BusyLimits {
    /// The most events of a calendar.
    public static let eventsMax = 25_000
    /// The most recurrence rules of all events.
    public static let rulesMax = 5000

    /// The reason why a file is too large for a calendar of busy times, found without parsing it;
    /// `nil` if there is none.
    ///
    /// - Parameter octets: the file.
    /// - Returns: a sentence with the number that is too large.
    public static func excess(of octets: [UInt8]) -> String? {
        excess(
            events: count(of: "BEGIN:VEVENT", in: octets), rules: count(of: "RRULE", in: octets))
    }

    /// The reason why calendars have too many events or rules; `nil` if there is none.
    ///
    /// - Parameter calendars: the calendars.
    /// - Returns: a sentence with the number that is too large.
    public static func excess(of calendars: [CalendarComponent]) -> String? {
        var (events, rules) = (0, 0)
        for event in calendars.flatMap(\.components) where event.name == "VEVENT" {
            events += 1
            rules += event.lines("RRULE").count
        }
        return excess(events: events, rules: rules)
    }

    private static func excess(events: Int, rules: Int) -> String? {
        if events > eventsMax {
            return "It has \(events) events, and at most \(eventsMax) are read."
        }
        return rules > rulesMax
            ? "It has \(rules) recurrence rules, and at most \(rulesMax) are read." : nil
    }

    /// The number of lines that begin with a word in capital or small letters.
    private static func count(of word: StaticString, in octets: [UInt8]) -> Int {
        var count = 0
        var isStart = true
        for place in octets.indices {
            if isStart, octets[place...].prefix(word.utf8CodeUnitCount).isASCII(word) {
                count += 1
            }
            isStart = octets[place] == .lineFeed || octets[place] == .carriageReturn
        }
        return count
    }
}
