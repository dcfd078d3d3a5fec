public import Timekeeping

extension CalendarEntry {
    /// What else it says of itself in words; empty where it says nothing.
    public var details: String { component.line("DESCRIPTION")?.text ?? "" }

    /// An address on the web; empty where it has none.
    public var link: String { component.line("URL")?.plainText ?? "" }

    /// Where it takes place; `nil` where it does not say.
    public var location: CalendarEvent.Location? {
        guard let text = component.line("LOCATION")?.text, !text.isEmpty else { return nil }
        return CalendarEvent.Location(text: text, position: component.line("GEO")?.position)
    }

    /// How often it was changed (RFC 5545, 3.8.7.4).
    public var sequence: Int { component.sequence }

    /// Whether the dates after it are as it is (RFC 5545, 3.2.13).
    public var isOfFollowing: Bool {
        component.line("RECURRENCE-ID")?.parameter("RANGE")?.uppercased() == "THISANDFUTURE"
    }

    /// Whether it is off.
    public var isOff: Bool { component.line("STATUS")?.plainText.uppercased() == "CANCELLED" }

    /// What somebody answered who is asked to it, in capitals; `nil` where nobody is named so.
    ///
    /// - Parameter address: their mail address.
    /// - Returns: `ACCEPTED`, `DECLINED`, ….
    public func participation(of address: String) -> String? {
        Self.participation(of: [address], in: component)
    }

    /// The same of an event, for somebody who has several addresses. Who says nothing of their
    /// answer has not answered (RFC 5545, 3.2.12).
    static func participation(
        of addresses: [String], in event: CalendarComponent
    ) -> String? {
        let folded = Set(addresses.map { MailAddress.folded($0) })
        return event.lines("ATTENDEE").first { line in
            MailAddress.plausible(line.plainText).map { folded.contains(MailAddress.folded($0)) }
                ?? false
        }.map { $0.parameter("PARTSTAT")?.uppercased() ?? "NEEDS-ACTION" }
    }

    /// How long before its start people are reminded: by the alarms that go off before it.
    ///
    /// - Parameter own: by whose clocks times are meant that name no zone.
    /// - Returns: how long before, in the order of the alarms.
    public func reminders(in own: Zone) -> [TimeSpan] {
        component.components.filter { $0.name == "VALARM" }.compactMap { alarm in
            alarm.line("TRIGGER").flatMap { reminder(at: $0, in: own) }
        }
    }

    private func reminder(at trigger: CalendarLine, in own: Zone) -> TimeSpan? {
        let text = trigger.plainText
        if case .utc(let moment)? = CalendarStamp(text) {
            // It goes off once, whatever repeats.
            let repeats = ["RRULE", "RDATE"].contains { component.line($0) != nil }
            return repeats
                ? nil : start.flatMap { Self.span($0.moment(in: own).seconds - moment.seconds) }
        }
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

    private static func span(_ seconds: Int64) -> TimeSpan? {
        seconds > 0 ? TimeSpan(days: 0, seconds: Int(seconds)) : nil
    }

    /// How long it lasts by somebody's clocks; `nil` where it does not say when it begins, or ends
    /// before it does.
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
        let seconds = end.moment(in: own).seconds - start.moment(in: own).seconds
        return seconds < 0 ? nil : TimeSpan(days: 0, seconds: Int(seconds))
    }

    /// A date that no rule gives.
    public struct Addition: Sendable {
        /// When it begins.
        public let start: StatedTime
        /// How long it lasts, where that is said of it alone.
        public let length: TimeSpan?
    }

    /// The dates that no rule gives, as RDATE names them.
    ///
    /// - Parameters:
    ///   - zones: the zones of its calendar object.
    ///   - directory: the zone rules of the system.
    /// - Returns: the dates, in their order.
    public func additions(by zones: CalendarZones, _ directory: ZoneDirectory) -> [Addition] {
        component.lines("RDATE").flatMap { line in
            line.plainText.split(separator: ",").compactMap { text -> Addition? in
                let parts = text.split(separator: "/", maxSplits: 1).map {
                    StatedTime($0, zone: line.parameter("TZID"), by: zones, directory)
                }
                guard let first = parts.first, let start = first else { return nil }
                var length = text.split(separator: "/").dropFirst().first
                    .flatMap { TimeSpan(calendar: String($0)) }
                if parts.count > 1, let end = parts[1] {
                    let seconds = end.moment(in: .utc).seconds - start.moment(in: .utc).seconds
                    length = TimeSpan(days: 0, seconds: max(Int(seconds), 0))
                }
                return Addition(start: start, length: length)
            }
        }
    }

    /// The times that a property names, each once for each time that it stands; of a period its
    /// start. What is no time is left out.
    ///
    /// - Parameters:
    ///   - name: `RDATE` or `EXDATE`.
    ///   - zones: the zones of its calendar object.
    ///   - directory: the zone rules of the system.
    /// - Returns: the times, in their order.
    public func times(
        _ name: String, by zones: CalendarZones, _ directory: ZoneDirectory
    ) -> [StatedTime] {
        component.lines(name).flatMap { line in
            line.plainText.split(separator: ",").compactMap { text in
                StatedTime(
                    text.prefix { $0 != "/" }, zone: line.parameter("TZID"), by: zones, directory)
            }
        }
    }
}

extension CalendarLine {
    /// Degrees north and east, as GEO has them, also where what parts them is escaped.
    fileprivate var position: (latitude: Double, longitude: Double)? {
        let parts = text.split(separator: ";").map { Double($0) }
        guard parts.count == 2, let latitude = parts[0], abs(latitude) <= 90,
            let longitude = parts[1], abs(longitude) <= 180
        else { return nil }
        return (latitude, longitude)
    }
}

extension CalendarComponent {
    /// How often it was changed (RFC 5545, 3.8.7.4).
    var sequence: Int {
        let number = line("SEQUENCE").flatMap { Int32($0.plainText) } ?? 0
        return Int(max(number, 0))
    }

    /// When what it says was said (RFC 5545, 3.8.7.2 and 3.8.7.3); `nil` where it does not say.
    var stampedAt: Moment? { moment("LAST-MODIFIED") ?? moment("DTSTAMP") }

    /// Whether it was told after another: later, or then and as of a later version.
    func isNews(besides other: CalendarComponent) -> Bool {
        if let told = moment("DTSTAMP"), let before = other.moment("DTSTAMP"), told != before {
            return told > before
        }
        return sequence > other.sequence
    }

    /// The moment that a property says; a time on the wall is taken for one in UTC.
    private func moment(_ name: String) -> Moment? {
        switch line(name).flatMap({ CalendarStamp($0.plainText) }) {
        case .utc(let moment)?: moment
        case .wall(let wall)?: Zone.utc.moment(of: wall)
        case .day?, nil: nil
        }
    }

}
