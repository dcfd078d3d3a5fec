public import Timekeeping

/// A meeting as calendars know it (RFC 5545, 3.6.1).
public struct CalendarEvent: Sendable {
    /// Where it takes place.
    public struct Location: Sendable {
        /// The line that people read.
        public let text: String
        /// Degrees north and east, where they are known.
        public let position: (latitude: Double, longitude: Double)?

        /// Describes a place.
        public init(text: String, position: (latitude: Double, longitude: Double)? = nil) {
            self.text = text
            self.position = position
        }
    }

    /// Its name for ever.
    public let uid: String
    /// Rises with each change that receivers have to heed.
    public let sequence: Int
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

    /// The zone that its times name; `nil` where they are written in UTC.
    var zoneComponent: CalendarComponent? {
        zone.hasRules ? zone.component(from: start, through: end) : nil
    }

    /// Its properties, but for people and state.
    func lines(at now: Moment) -> [CalendarLine] {
        let identity = [
            CalendarLine("UID", text: uid), CalendarLine("DTSTAMP", raw: CalendarTime.utc(now)),
            CalendarLine("SEQUENCE", raw: "\(sequence)"),
            CalendarTime(start, in: zone).line("DTSTART"),
            CalendarTime(end, in: zone).line("DTEND"), CalendarLine("SUMMARY", text: title),
        ]
        return identity + words + (location?.lines ?? [])
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
