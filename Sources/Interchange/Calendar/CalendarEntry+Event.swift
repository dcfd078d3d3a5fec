public import Timekeeping

extension CalendarEntry {
    /// The description; empty if there is none.
    public var details: String { component.line("DESCRIPTION")?.text ?? "" }

    /// The web address: that of the event, or else of its video conference (RFC 7986, 5.11); empty
    /// if there is none.
    public var link: String {
        let url = component.line("URL")?.plainText ?? ""
        guard url.isEmpty else { return url }
        return Self.conferences.lazy.compactMap { component.line($0)?.plainText }
            .first { $0.hasPrefix("https://") } ?? ""
    }

    /// The properties with the address of a video conference.
    static let conferences = [
        "CONFERENCE", "X-GOOGLE-CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL",
        "X-MICROSOFT-ONLINEMEETINGEXTERNALLINK",
    ]

    /// The location; `nil` if there is none.
    public var location: CalendarEvent.Location? {
        guard let text = component.line("LOCATION")?.text, !text.isEmpty else { return nil }
        return CalendarEvent.Location(text: text, position: component.line("GEO")?.position)
    }

    /// The number of revisions so far (RFC 5545, 3.8.7.4).
    public var sequence: Int { component.sequence }

    /// True if the change also applies to all later occurrences (RFC 5545, 3.2.13).
    public var isOfFollowing: Bool {
        component.line("RECURRENCE-ID")?.parameter("RANGE")?.uppercased() == "THISANDFUTURE"
    }

    /// True if the component states its end or its length.
    public var hasStatedEnd: Bool {
        ["DTEND", "DUE", "DURATION"].contains { component.line($0) != nil }
    }

    /// True if the component is cancelled.
    public var isOff: Bool { component.isCancelled }

    /// True if the component is an older version than another (RFC 5546, 2.1.5).
    public func isOlder(than other: CalendarEntry) -> Bool {
        component.isOlder(than: other.component)
    }

    /// The participation status of an attendee, in capitals; `nil` if no attendee has this address.
    ///
    /// - Parameter address: the mail address of the attendee.
    /// - Returns: `ACCEPTED`, `DECLINED`, ….
    public func participation(of address: String) -> String? {
        Self.participation(of: [address], in: component)
    }

    /// The participation status of an attendee with several addresses; `nil` if no attendee has any
    /// of them. An attendee without PARTSTAT has not answered (RFC 5545, 3.2.12).
    static func participation(
        of addresses: [String], in event: CalendarComponent
    ) -> String? {
        let folded = Set(addresses.map { MailAddress.folded($0) })
        return event.lines("ATTENDEE").first { line in
            // Some programs write the address beside another name (RFC 7986, 6.2).
            [line.plainText, line.parameter("EMAIL") ?? ""].compactMap(MailAddress.plausible)
                .contains { folded.contains(MailAddress.folded($0)) }
        }.map { $0.parameter("PARTSTAT")?.uppercased() ?? "NEEDS-ACTION" }
    }

    /// The reminder times, as spans before the start. Alarms at or after the start are left out.
    ///
    /// - Parameter own: the zone for times that name no zone.
    /// - Returns: the spans before the start, in the order of the alarms.
    public func reminders(in own: Zone) -> [TimeSpan] {
        alarms.compactMap { alarm in
            alarm.line("TRIGGER").flatMap { reminder(at: $0, in: own) }
        }
    }

    /// The number of alarms.
    public var alarmCount: Int { alarms.count }

    /// The alarms with an action that is known (RFC 5545, 3.8.6.1), or without one.
    private var alarms: [CalendarComponent] {
        component.components.filter { part in
            part.name == "VALARM" && part.line("TRIGGER")?.plainText != Self.noAlarm
                && part.line("ACTION").map {
                    Self.actions.contains($0.plainText.uppercased())
                } ?? true
        }
    }

    /// The time that Apple's calendar writes for an event without alarms.
    private static let noAlarm = "19760401T005545Z"
    private static let actions: Set = ["AUDIO", "DISPLAY", "EMAIL", "PROCEDURE"]

    /// True if an alarm goes off more than once (RFC 5545, 3.8.6.2).
    public var hasRepeatedAlarms: Bool {
        alarms.contains { alarm in
            alarm.line("REPEAT").flatMap { Int($0.plainText) }.map { $0 > 0 } == true
        }
    }

    private var repeats: Bool { ["RRULE", "RDATE"].contains { component.line($0) != nil } }

    private func reminder(at trigger: CalendarLine, in own: Zone) -> TimeSpan? {
        if let alarm = fixedAlarms[trigger.unfolded], let moment = moment(ofAlarm: alarm, in: own) {
            // An absolute alarm goes off only once, even if the event repeats.
            return repeats
                ? nil : start.flatMap { Self.span($0.moment(in: own).seconds - moment.seconds) }
        }
        let text = trigger.plainText
        guard text.hasPrefix("-"), let before = TimeSpan(calendar: String(text.dropFirst())) else {
            return nil
        }
        guard trigger.parameter("RELATED")?.uppercased() == "END" else { return before }
        return length(in: own).flatMap { length in
            Self.span(
                Int64(before.days - length.days) * Int64(CivilTime.secondsOfDay)
                    + Int64(before.seconds - length.seconds))
        }
    }

    /// The moment of an absolute alarm. It must be in UTC (RFC 5545, 3.8.6.3); otherwise it is read
    /// in the zone that it names, or in that of the event.
    private func moment(ofAlarm alarm: StatedTime, in own: Zone) -> Moment? {
        alarm.isDay ? nil : alarm.moment ?? alarm.moment(in: start?.zone ?? own)
    }

    private static func span(_ seconds: Int64) -> TimeSpan? {
        seconds > 0 ? TimeSpan(days: 0, seconds: Int(seconds)) : nil
    }

    /// The duration, with floating times read in the zone `own`; `nil` if there is no start or if
    /// the end is before the start.
    public func length(in own: Zone) -> TimeSpan? {
        guard let start, let end else { return nil }
        if component.line("DTEND") == nil, component.line("DUE") == nil,
            let length = component.line("DURATION").flatMap({ TimeSpan(calendar: $0.plainText) })
        {
            return length
        }
        if case (.day(let first), .day(let last)) = (start.stamp, end.stamp) {
            let days = last.daysSince1970 - first.daysSince1970
            return days < 0 ? nil : TimeSpan(days: days, seconds: 0)
        }
        // An end without a zone, such as a day, is in that of the start.
        let seconds = end.moment(in: start.zone ?? own).seconds - start.moment(in: own).seconds
        return seconds < 0 ? nil : TimeSpan(days: 0, seconds: Int(seconds))
    }

    /// An extra occurrence that no rule produces.
    public struct Addition: Sendable {
        /// The start.
        public let start: StatedTime
        /// The duration, if this occurrence has its own.
        public let length: TimeSpan?
    }

    /// The extra occurrences that RDATE lists.
    ///
    /// - Parameters:
    ///   - zones: the zones of the calendar object.
    ///   - directory: the zone rules of the system.
    /// - Returns: the occurrences, in the order of the file.
    public func additions(by zones: CalendarZones, _ directory: ZoneDirectory) -> [Addition] {
        component.lines("RDATE").flatMap { line in
            let time = StatedTime.reader(of: line, by: zones, directory)
            return line.plainText.split(separator: ",").compactMap { text -> Addition? in
                let parts = text.split(separator: "/", maxSplits: 1).map(time)
                guard let first = parts.first, let start = first else { return nil }
                var length = text.split(separator: "/").dropFirst().first
                    .flatMap { TimeSpan(calendar: String($0)) }.flatMap { $0 == .zero ? nil : $0 }
                if parts.count > 1, let end = parts[1] {
                    let seconds = end.moment(in: .utc).seconds - start.moment(in: .utc).seconds
                    length = seconds > 0 ? TimeSpan(days: 0, seconds: Int(seconds)) : nil
                }
                return Addition(start: start, length: length)
            }
        }
    }

    /// The times that a property lists, duplicates included; for a period its start. Values that
    /// are not times are left out.
    ///
    /// - Parameters:
    ///   - name: `RDATE` or `EXDATE`.
    ///   - zones: the zones of the calendar object.
    ///   - directory: the zone rules of the system.
    /// - Returns: the times, in the order of the file.
    public func times(
        _ name: String, by zones: CalendarZones, _ directory: ZoneDirectory
    ) -> [StatedTime] {
        component.lines(name).flatMap { line in
            let time = StatedTime.reader(of: line, by: zones, directory)
            return line.plainText.split(separator: ",").compactMap { time($0.prefix { $0 != "/" }) }
        }
    }
}

extension CalendarLine {
    /// The latitude and longitude in degrees, as GEO states them; an escaped separator is accepted.
    var position: (latitude: Double, longitude: Double)? {
        let parts = text.split(separator: ";").map { Double($0) }
        guard parts.count == 2, let latitude = parts[0], abs(latitude) <= 90,
            let longitude = parts[1], abs(longitude) <= 180
        else { return nil }
        return (latitude, longitude)
    }
}

extension CalendarComponent {
    /// The number of revisions so far (RFC 5545, 3.8.7.4); 0 if none is stated.
    var sequence: Int {
        let number = line("SEQUENCE").flatMap { Int32($0.plainText) } ?? 0
        return Int(max(number, 0))
    }

    /// The time of the last change (RFC 5545, 3.8.7.2 and 3.8.7.3); `nil` if none is stated.
    var stampedAt: Moment? { moment("LAST-MODIFIED") ?? moment("DTSTAMP") }

    /// The moment in a property; a wall-clock time is read as UTC.
    private func moment(_ name: String) -> Moment? {
        switch line(name).flatMap({ CalendarStamp($0.plainText) }) {
        case .utc(let moment)?: moment
        case .wall(let wall)?: Zone.utc.moment(of: wall)
        case .day?, nil: nil
        }
    }

}
