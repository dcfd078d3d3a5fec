/// The local times that a text in the form of the POSIX variable TZ names, whatever the days on
/// which they change: "JST-9", "CET-1CEST" or "CET-1CEST,M3.5.0,M10.5.0/3".
struct PosixNames {
    private let standard: LocalTimeType
    /// `nil` if the clocks never change.
    private let daylight: LocalTimeType?

    /// Parses a text; `nil` if it has another form. Names are in capitals, because "Room12" and the
    /// like mean something else.
    init?(_ text: String) {
        var cursor = TextCursor(text)
        guard text == text.uppercased(), let name = cursor.zoneName(),
            let west = cursor.clock(hoursMax: 24)
        else { return nil }
        standard = LocalTimeType(offsetSeconds: -west, isDaylight: false, abbreviation: name)
        var summer: LocalTimeType?
        if let name = cursor.zoneName() {
            var offset = 3600 - west
            if let byte = cursor.next, byte != UInt8(ascii: ",") {
                guard let west = cursor.clock(hoursMax: 24) else { return nil }
                offset = -west
            }
            summer = LocalTimeType(offsetSeconds: offset, isDaylight: true, abbreviation: name)
        }
        guard cursor.isAtEnd || cursor.next == UInt8(ascii: ",") else { return nil }
        daylight = summer
    }

    /// True if the lasting rule of a zone has these offsets.
    func haveOffsets(of rule: PosixRule) -> Bool {
        rule.standard.offsetSeconds == standard.offsetSeconds
            && rule.season?.type.offsetSeconds == daylight?.offsetSeconds
    }

    /// True if the lasting rule of a zone has these offsets and abbreviations.
    func are(of rule: PosixRule) -> Bool {
        rule.standard == standard && rule.season?.type == daylight
    }
}

extension ZoneDirectory {
    /// Zones with a large city for the offsets of most countries.
    private static let cities = [
        "Europe/London", "Europe/Berlin", "Europe/Helsinki", "Europe/Moscow", "Africa/Lagos",
        "Africa/Johannesburg", "Africa/Nairobi", "Asia/Dubai", "Asia/Karachi", "Asia/Kolkata",
        "Asia/Kathmandu", "Asia/Dhaka", "Asia/Jakarta", "Asia/Bangkok", "Asia/Shanghai",
        "Australia/Perth", "Asia/Tokyo", "Asia/Seoul", "Australia/Adelaide", "Australia/Brisbane",
        "Australia/Sydney", "Pacific/Auckland", "America/St_Johns", "America/Halifax",
        "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles",
        "America/Anchorage", "Pacific/Honolulu", "America/Phoenix", "America/Mexico_City",
        "America/Bogota", "America/Caracas", "America/Sao_Paulo",
    ]

    /// The zone with a large city that has the offsets and abbreviations of a POSIX text without
    /// the days of its changes: Europe/Berlin for "CET-1CEST".
    ///
    /// - Parameter text: the text.
    /// - Returns: the zone; `nil` if there is none, because an offset alone may be meant in either
    ///   direction.
    public func zoneOfRule(_ text: String) -> Zone? {
        guard let names = PosixNames(text) else { return nil }
        return Self.cities.lazy.compactMap { self.zoneIfKnown($0) }
            .first { $0.lastRule.map(names.are) ?? false }
    }

    /// The zone with a large city that has two offsets from UTC, whatever the days on which its
    /// clocks change.
    ///
    /// - Parameters:
    ///   - standard: the offset in standard time, in seconds.
    ///   - daylight: the offset in daylight saving time, in seconds.
    /// - Returns: the zone; `nil` if there is none.
    public func zone(ofOffset standard: Int, daylight: Int) -> Zone? {
        Self.cities.lazy.compactMap { self.zoneIfKnown($0) }.first { zone in
            zone.lastRule?.standard.offsetSeconds == standard
                && zone.lastRule?.season?.type.offsetSeconds == daylight
        }
    }

    /// The zone with a large city that has the offsets of a POSIX text; none for other texts.
    func nearest(toRule text: String) -> [String] {
        guard let names = PosixNames(text), WrittenOffset(text) == nil else { return [] }
        let near = Self.cities.first { city in
            zoneIfKnown(city)?.lastRule.map(names.haveOffsets) ?? false
        }
        return [near].compactMap(\.self)
    }
}
