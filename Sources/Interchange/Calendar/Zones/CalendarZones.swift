public import Timekeeping

/// The zones by which a calendar object states its times, those that it describes itself among them
/// (RFC 5545, 3.6.5).
public struct CalendarZones: Equatable, Sendable {
    /// By the names that it calls them; `nil` of those whose description is not understood.
    private var described: [String: Zone?] = [:]
    /// What X-WR-TIMEZONE names.
    private let usual: String?

    /// The zones of a calendar object.
    public init(_ calendar: CalendarComponent) {
        usual = calendar.line("X-WR-TIMEZONE")?.text
        for component in calendar.components where component.name == "VTIMEZONE" {
            guard let name = component.line("TZID")?.text, described[name] == nil else { continue }
            described[name] = .some(Zone(named: name, described: component))
        }
    }

    /// The zone that a name stands for: of the tz database, also where a program wrote a name of
    /// its own before it ("/example.org/Europe/Paris"); else as the object describes it; else one
    /// of Windows; else the one that is usual in the object.
    ///
    /// - Parameters:
    ///   - name: the value of TZID.
    ///   - directory: the zone rules of the system.
    /// - Returns: the zone; `nil` where nobody knows it: no hour is guessed.
    public func zone(_ name: String, by directory: ZoneDirectory) -> Zone? {
        if let known = Self.known(name, by: directory) { return known }
        if let own = described[name] { return own }
        return Self.windowsZone(name, by: directory) ?? usualZone(by: directory)
    }

    /// The zone that a name of Windows means, whatever a file says of it; `nil` of other names.
    public static func windowsZone(_ name: String, by directory: ZoneDirectory) -> Zone? {
        WindowsZones.identifier(name).flatMap { try? directory.zone($0) }
    }

    /// The zone in which most of the object is meant, where it names one that is known.
    public func usualZone(by directory: ZoneDirectory) -> Zone? {
        usual.flatMap { Self.known($0, by: directory) }
    }

    /// A zone of the tz database that stands for one that the object describes itself: whose clocks
    /// show the same for a year from a moment on.
    ///
    /// - Parameters:
    ///   - zone: the zone, as the object describes it.
    ///   - moment: from when on.
    ///   - own: the zone that is tried first.
    ///   - directory: the zone rules of the system.
    /// - Returns: the zone; `nil` where none shows the same.
    public func equivalent(
        of zone: Zone, from moment: Moment, besides own: Zone, by directory: ZoneDirectory
    ) -> Zone? {
        if let known = Self.known(zone.id, by: directory) { return known }
        // "custom_America/New_York" is not Grand Turk, whose clocks go alike.
        let named =
            [WindowsZones.identifier(zone.id), usual].compactMap(\.self)
            + WindowsZones.identifiers.filter { zone.id.contains($0) }
        let end = moment.advanced(bySeconds: Self.yearSeconds)
        let wanted = zone.clocks(from: moment, through: end)
        return ([own.id] + named + WindowsZones.identifiers).lazy
            .compactMap { try? directory.zone($0) }
            .first { $0.clocks(from: moment, through: end) == wanted }
    }

    private static let yearSeconds: Int64 = 366 * 86_400

    /// Whether the object describes a zone of that name in a way that is not understood.
    public func isUnclear(_ name: String) -> Bool { described[name] == .some(nil) }

    /// Whether the object describes a zone of that name.
    public func describes(_ name: String) -> Bool { described[name] != nil }

    /// Whether a name is that of a zone of the tz database: then what describes it counts for
    /// nothing.
    static func isKnown(_ name: String, by directory: ZoneDirectory) -> Bool {
        known(name, by: directory) != nil
    }

    private static func known(_ name: String, by directory: ZoneDirectory) -> Zone? {
        let parts = name.split(separator: "/")
        let names =
            [name]
            + [3, 2].filter { $0 < parts.count || name.hasPrefix("/") && $0 == parts.count }
            .map { parts.suffix($0).joined(separator: "/") }
        return names.lazy.compactMap { try? directory.zone($0) }.first
    }
}

extension Zone {
    /// By how much its clocks are ahead of UTC within some time, and since when each: in
    /// milliseconds since 1970 and in seconds.
    func clocks(from first: Moment, through last: Moment) -> [[Int64]] {
        var clocks = [[first.milliseconds, Int64(offsetSeconds(at: first))]]
        var moment = first
        while let next = nextTransition(after: moment), next.moment <= last {
            moment = next.moment
            // Some transitions change names alone.
            guard next.after.offsetSeconds != next.before.offsetSeconds else { continue }
            clocks.append([moment.milliseconds, Int64(next.after.offsetSeconds)])
        }
        return clocks
    }

    init?(named name: String, described component: CalendarComponent) {
        let parts = component.components.filter { ["STANDARD", "DAYLIGHT"].contains($0.name) }
        let changes = parts.compactMap(DescribedObservance.init)
        guard changes.count == parts.count else { return nil }
        self.init(id: name, changes: changes)
    }
}

extension DescribedObservance {
    fileprivate init?(_ component: CalendarComponent) {
        guard let onset = component.line("DTSTART")?.plainText.firstWall,
            let before = component.line("TZOFFSETFROM").flatMap(Self.offset),
            let after = component.line("TZOFFSETTO").flatMap(Self.offset)
        else { return nil }
        self.init(
            onset: onset, before: before, after: after, isDaylight: component.name == "DAYLIGHT",
            abbreviation: component.line("TZNAME")?.text ?? "")
        if let line = component.line("RRULE") {
            guard let rule = try? RecurrenceRule(line.plainText) else { return nil }
            self.rule = rule
        }
        dates = component.lines("RDATE").flatMap { line in
            line.plainText.split(separator: ",").compactMap { CalendarStamp($0) }
        }
    }

    /// An offset as RFC 5545, 3.3.14 has it, in seconds: "+0200", "-003015".
    private static func offset(_ line: CalendarLine) -> Int? {
        let octets = Array(line.plainText.utf8)
        guard [5, 7].contains(octets.count), "+-".utf8.contains(octets[0]),
            octets.dropFirst().allSatisfy(\.isASCIIDigit)
        else { return nil }
        let digits = octets.dropFirst().map { Int($0) - 0x30 }
        let parts = stride(from: 0, to: digits.count, by: 2).map {
            digits[$0] * 10 + digits[$0 + 1]
        }
        guard parts[0] < 24, parts.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        let seconds = zip(parts, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
        return octets[0] == UInt8(ascii: "-") ? -seconds : seconds
    }
}

extension String {
    /// The time on the wall that it says; a time in UTC is taken for one, as some programs write it
    /// where none is meant.
    fileprivate var firstWall: WallTime? {
        switch CalendarStamp(self) {
        case .wall(let wall)?: wall
        case .day(let day)?: WallTime(date: day, time: .midnight)
        case .utc(let moment)?: WallTime(secondsSince1970: moment.seconds)
        case nil: nil
        }
    }
}
