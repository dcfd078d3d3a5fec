public import Timekeeping

/// A meeting as a calendar event (RFC 5545, 3.6.1).
public struct CalendarEvent: Sendable {
    /// The location of an event.
    public struct Location: Equatable, Sendable {
        /// The text that people read.
        public let text: String
        /// The latitude and longitude in degrees, if known.
        public let position: (latitude: Double, longitude: Double)?

        /// Creates a location.
        public init(text: String, position: (latitude: Double, longitude: Double)? = nil) {
            self.text = text
            self.position = position
        }

        /// True if both have the same text and position.
        public static func == (one: Location, other: Location) -> Bool {
            one.text == other.text && one.position?.latitude == other.position?.latitude
                && one.position?.longitude == other.position?.longitude
        }
    }

    /// The form in which times are written.
    enum Form: Sendable {
        /// Wall-clock time in a named zone.
        case clocks
        /// Wall-clock time without a zone (floating): the reader's own zone applies.
        case floating
        /// Whole days.
        case days
    }

    /// The permanent UID.
    public let uid: String
    /// The revision, which rises with each change that receivers must act on.
    public internal(set) var sequence: Int
    /// The title.
    public let title: String
    /// The description; may be empty.
    public var details = ""
    /// The web address to join online; empty if there is none.
    public var link = ""
    /// The location, if any.
    public var location: Location?
    /// The start.
    public let start: Moment
    /// The end.
    public let end: Moment
    /// The time zone in which the meeting is planned.
    public let zone: Zone
    /// The recurrence rule; `nil` if the meeting does not repeat.
    public var rule: RecurrenceRule?
    /// The end of the last occurrence, if the meeting repeats and has a last one.
    public var lastEnd: Moment?
    /// The original starts of the cancelled occurrences.
    public var exceptions: [Moment] = []
    /// The starts of the occurrences that the rule does not produce.
    public var additions: [Moment] = []
    /// The original start by the rule, if this is one occurrence of a series; it identifies the
    /// occurrence.
    public var original: Moment?
    /// The occurrences that differ from the series.
    public var changes: [CalendarEvent] = []
    /// True if the event is cancelled.
    public var isOff = false
    /// True if, in a feed, the reader's attendance is not certain.
    public var isTentative = false
    /// The times of the alarms in the reader's calendar, as spans before the start.
    public var alarms: [TimeSpan] = []
    /// Further properties for display in calendars.
    public private(set) var nature: EventNature = []
    /// The form in which the times are written.
    var form = Form.clocks
    /// The form in which the original start of an occurrence is written: that of the start of its
    /// series (RFC 5545, 3.8.4.4).
    var originalForm = Form.clocks

    /// A meeting with its title and times.
    public init(
        uid: String, sequence: Int, title: String, start: Moment, end: Moment, zone: Zone
    ) {
        self.uid = uid
        self.sequence = sequence
        self.title = title
        self.start = start
        self.end = end
        self.zone = zone
    }

    /// Sets alarms at these spans before the start of each occurrence.
    public mutating func remind(_ spans: [TimeSpan]) {
        alarms = spans
        for place in changes.indices { changes[place].alarms = spans }
    }

    /// Sets the display properties taken from the original calendar. All-day events stay all-day as
    /// long as their starts and ends are at midnight.
    public mutating func show(_ nature: EventNature) {
        if nature.contains(.wholeDays) {
            nameDays()
            nameOriginalDay()
        }
        func shown(_ event: CalendarEvent) -> CalendarEvent {
            var event = event
            event.nature = nature
            event.isTentative = event.isTentative || nature.contains(.tentative)
            return event
        }
        changes = changes.map(shown)
        self = shown(self)
    }

    /// The length of the zone description for a series without an end, in seconds: twenty years.
    static let endlessSeconds: Int64 = 20 * 366 * 86_400

    /// The description of the zone that the times name; `nil` if they name none.
    var zoneComponent: CalendarComponent? {
        span.map { zone.component(from: $0.lowerBound, through: $0.upperBound) }
    }

    /// The range of time that the zone description must cover; `nil` if the times name no zone.
    var span: ClosedRange<Moment>? {
        guard namesZone, all.contains(where: \.hasClocks) else { return nil }
        let horizon = start.advanced(bySeconds: Self.endlessSeconds)
        let moments =
            [start, end] + [min(lastEnd ?? end, horizon)]
            + changes.flatMap { [$0.start, $0.end] }
        return (moments.min() ?? start)...(moments.max() ?? end)
    }

    /// True if times are written with the zone's name. In a series, also a zone without clock
    /// changes is named, because weekdays are those of the zone.
    private var namesZone: Bool {
        zone.hasRules || zone != .utc && (rule != nil || original != nil)
    }

    /// True if the event itself names a time of day in its zone.
    private var hasClocks: Bool {
        form == .clocks || original != nil && originalForm == .clocks
    }

    /// The event and the occurrences that differ from it, each as a component of its own.
    var all: [CalendarEvent] { [self] + changes }

    /// The properties of the event, except for people and status.
    func lines(at now: Moment) -> [CalendarLine] {
        let identity = [
            CalendarLine("UID", text: uid), CalendarLine("DTSTAMP", raw: CalendarTime.utc(now)),
            CalendarLine("SEQUENCE", raw: "\(min(sequence, Int(Int32.max)))"),
            line("DTSTART", start, form), line("DTEND", end, form),
            CalendarLine("SUMMARY", text: title),
        ]
        return identity + recurrence + words + (location?.lines ?? [])
    }

    private func line(_ name: String, _ moment: Moment, _ form: Form) -> CalendarLine {
        let wall = zone.wallTime(at: moment)
        switch form {
        case .clocks: return CalendarTime(moment, in: zone, namesZone: namesZone).line(name)
        case .floating: return CalendarLine(name, raw: CalendarTime.text(wall))
        case .days:
            return CalendarLine(
                name, [("VALUE", "DATE")], raw: CalendarStamp.day(wall.date).description)
        }
    }

    private var recurrence: [CalendarLine] {
        var lines = [original.map { line("RECURRENCE-ID", $0, originalForm) }]
            .compactMap(\.self)
        guard var rule else { return lines }
        // The rule of a start with a zone ends at a moment in UTC (RFC 5545, 3.3.10).
        if case .until(let stamp) = rule.end { rule.end = .until(written(last(stamp))) }
        lines.append(CalendarLine("RRULE", raw: rule.description))
        return lines + additions.map { line("RDATE", $0, form) }
            + exceptions.map { line("EXDATE", $0, form) }
    }

    /// The end of a rule, in the same form as the start.
    private func written(_ last: Moment) -> CalendarStamp {
        switch form {
        case .clocks: .utc(last)
        case .floating: .wall(zone.wallTime(at: last))
        case .days: .day(zone.wallTime(at: last).date)
        }
    }

    private func last(_ stamp: CalendarStamp) -> Moment {
        switch stamp {
        case .utc(let moment): moment
        case .wall(let wall): zone.moment(of: wall)
        case .day(let day):
            zone.moment(of: WallTime(date: day.adding(days: 1), time: .midnight))
                .advanced(bySeconds: -1)
        }
    }

    /// The alarms.
    var alarmComponents: [CalendarComponent] {
        alarms.map { span in
            CalendarComponent(
                "VALARM",
                [
                    CalendarLine("ACTION", raw: "DISPLAY"),
                    CalendarLine("DESCRIPTION", text: title),
                    CalendarLine("TRIGGER", raw: "-\(span.calendarText)"),
                ])
        }
    }

    private var words: [CalendarLine] {
        var lines: [CalendarLine] = []
        if !details.isEmpty { lines.append(CalendarLine("DESCRIPTION", text: details)) }
        // The address is cut at the first space or control character, because these could end the
        // line.
        let address = link.unicodeScalars.prefix { $0.value > 0x20 && $0.value != 0x7F }
        if !address.isEmpty { lines.append(CalendarLine("URL", raw: Self.uri(address))) }
        return lines
    }

    /// The characters that are percent-encoded in a URI (RFC 3986, 2), besides spaces, control
    /// characters and letters of other scripts.
    private static let notInURI = Set("\"<>\\^`{|}".utf8)

    private static func uri(_ address: Substring.UnicodeScalarView) -> String {
        address.reduce(into: "") { text, scalar in
            if let octet = UInt8(exactly: scalar.value), notInURI.contains(octet) {
                text += octet.percentEncoded
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension CalendarEvent.Location {
    /// The radius of a place in Apple's programs, in metres.
    private static let radiusMeters = 70

    fileprivate var lines: [CalendarLine] {
        let location = CalendarLine("LOCATION", text: text)
        guard let position else { return [location] }
        let (latitude, longitude) = (
            Self.degrees(position.latitude), Self.degrees(position.longitude)
        )
        return [
            location, CalendarLine("GEO", raw: "\(latitude);\(longitude)"),
            // Apple's programs show a map only with this property.
            CalendarLine(
                "X-APPLE-STRUCTURED-LOCATION",
                [
                    ("VALUE", "URI"), ("X-APPLE-RADIUS", "\(Self.radiusMeters)"),
                    ("X-TITLE", text),
                ], raw: "geo:\(latitude),\(longitude)"),
        ]
    }

    /// Degrees with six decimals, as RFC 5545, 3.8.1.6 requires.
    private static func degrees(_ value: Double) -> String {
        let millionths = Int((value * 1_000_000).rounded())
        let size = abs(millionths)
        let fraction = "\(1_000_000 + size % 1_000_000)".dropFirst()
        return "\(millionths < 0 ? "-" : "")\(size / 1_000_000).\(fraction)"
    }
}
