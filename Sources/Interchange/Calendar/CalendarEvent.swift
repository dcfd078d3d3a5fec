public import Timekeeping

/// A meeting as calendars know it (RFC 5545, 3.6.1).
public struct CalendarEvent: Sendable {
    /// Where it takes place.
    public struct Location: Equatable, Sendable {
        /// The line that people read.
        public let text: String
        /// Degrees north and east, where they are known.
        public let position: (latitude: Double, longitude: Double)?

        /// Describes a place.
        public init(text: String, position: (latitude: Double, longitude: Double)? = nil) {
            self.text = text
            self.position = position
        }

        /// Whether both say the same place.
        public static func == (one: Location, other: Location) -> Bool {
            one.text == other.text && one.position?.latitude == other.position?.latitude
                && one.position?.longitude == other.position?.longitude
        }
    }

    /// How its times are written.
    enum Form: Sendable {
        /// By the clocks of its zone, which is named.
        case clocks
        /// By the clocks of whoever reads it.
        case floating
        /// As whole days.
        case days
    }

    /// Its name for ever.
    public let uid: String
    /// Rises with each change that receivers have to heed.
    public internal(set) var sequence: Int
    /// What it is about.
    public let title: String
    /// What else there is to say; may be empty.
    public var details = ""
    /// Where to join from afar; empty when nowhere.
    public var link = ""
    /// Where it takes place.
    public var location: Location?
    /// When it begins.
    public let start: Moment
    /// When it ends.
    public let end: Moment
    /// By whose clocks it is meant.
    public let zone: Zone
    /// By which rule it repeats; `nil` where it does not.
    public var rule: RecurrenceRule?
    /// When its last date is over, where it repeats.
    public var lastEnd: Moment?
    /// The starts of the dates that are off, as they would be by the rule.
    public var exceptions: [Moment] = []
    /// The starts of the dates that the rule does not give.
    public var additions: [Moment] = []
    /// When it would begin by the rule, where it is one date of a series: that names it.
    public var original: Moment?
    /// The dates of a series that are otherwise.
    public var changes: [CalendarEvent] = []
    /// Whether it is off.
    public var isOff = false
    /// Whether its reader may not come, in a feed.
    public var isTentative = false
    /// How long before its start its reader's calendar reminds them.
    public var alarms: [TimeSpan] = []
    /// What else calendars show of it.
    public private(set) var nature: EventNature = []
    /// How its times are written.
    var form = Form.clocks

    /// A meeting with its times.
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

    /// Lets its reader's calendar remind them so long before each of its dates.
    public mutating func remind(_ spans: [TimeSpan]) {
        alarms = spans
        for place in changes.indices { changes[place].alarms = spans }
    }

    /// Lets it be shown as the calendar had it from which it was read: whole days as days, as long
    /// as it takes such.
    public mutating func show(_ nature: EventNature) {
        let isOfDays = nature.contains(.wholeDays) && areAllOfDays
        func shown(_ event: CalendarEvent) -> CalendarEvent {
            var event = event
            event.nature = nature
            event.isTentative = event.isTentative || nature.contains(.tentative)
            if isOfDays { event.form = .days }
            return event
        }
        changes = changes.map(shown)
        self = shown(self)
    }

    /// A zone is described for so long ahead where a series has no end, in seconds: twenty years.
    static let endlessSeconds: Int64 = 20 * 366 * 86_400

    /// The zone that its times name; `nil` where they are written in UTC.
    var zoneComponent: CalendarComponent? {
        span.map { zone.component(from: $0.lowerBound, through: $0.upperBound) }
    }

    /// For which time its zone has to be described; `nil` where its times do not name it.
    var span: ClosedRange<Moment>? {
        guard form == .clocks, namesZone else { return nil }
        let horizon = start.advanced(bySeconds: Self.endlessSeconds)
        let moments =
            [start, end] + [min(lastEnd ?? end, horizon)]
            + changes.flatMap { [$0.start, $0.end] }
        return (moments.min() ?? start)...(moments.max() ?? end)
    }

    /// Days of the week are those of its own clocks, also where nobody sets them.
    private var namesZone: Bool {
        zone.hasRules || zone != .utc && (rule != nil || original != nil)
    }

    /// It and the dates that are otherwise, each as a component of its own.
    var all: [CalendarEvent] { [self] + changes }

    /// Its properties, but for people and state.
    func lines(at now: Moment) -> [CalendarLine] {
        let identity = [
            CalendarLine("UID", text: uid), CalendarLine("DTSTAMP", raw: CalendarTime.utc(now)),
            CalendarLine("SEQUENCE", raw: "\(min(sequence, Int(Int32.max)))"),
            line("DTSTART", start), line("DTEND", end), CalendarLine("SUMMARY", text: title),
        ]
        return identity + recurrence + words + (location?.lines ?? [])
    }

    private func line(_ name: String, _ moment: Moment) -> CalendarLine {
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
        var lines = [original.map { line("RECURRENCE-ID", $0) }].compactMap(\.self)
        guard var rule else { return lines }
        // What is by the clocks of a zone ends at a moment (RFC 5545, 3.3.10).
        if case .until(let stamp) = rule.end { rule.end = .until(written(last(stamp))) }
        lines.append(CalendarLine("RRULE", raw: rule.description))
        return lines + additions.map { line("RDATE", $0) } + exceptions.map { line("EXDATE", $0) }
    }

    /// The end of a rule, which is of the kind of the start.
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

    /// What reminds its reader.
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
        // What would end its line ends the address.
        let address = link.unicodeScalars.prefix { $0.value > 0x20 && $0.value != 0x7F }
        if !address.isEmpty { lines.append(CalendarLine("URL", raw: String(address))) }
        return lines
    }
}

extension CalendarEvent.Location {
    /// How far around the position Apple's programs take the place to be, in metres.
    private static let radiusMeters = 70

    fileprivate var lines: [CalendarLine] {
        let location = CalendarLine("LOCATION", text: text)
        guard let position else { return [location] }
        let (latitude, longitude) = (
            Self.degrees(position.latitude), Self.degrees(position.longitude)
        )
        return [
            location, CalendarLine("GEO", raw: "\(latitude);\(longitude)"),
            // Apple's programs show a map for this alone.
            CalendarLine(
                "X-APPLE-STRUCTURED-LOCATION",
                [
                    ("VALUE", "URI"), ("X-APPLE-RADIUS", "\(Self.radiusMeters)"),
                    ("X-TITLE", text),
                ], raw: "geo:\(latitude),\(longitude)"),
        ]
    }

    /// Degrees with six decimals, as RFC 5545, 3.8.1.6 wants.
    private static func degrees(_ value: Double) -> String {
        let millionths = Int((value * 1_000_000).rounded())
        let size = abs(millionths)
        let fraction = "\(1_000_000 + size % 1_000_000)".dropFirst()
        return "\(millionths < 0 ? "-" : "")\(size / 1_000_000).\(fraction)"
    }
}
