public import Timekeeping

/// From when to when something lasts, as an event of somebody else's program says it (RFC 5545,
/// 3.6.1).
public struct CalendarPeriod: Equatable, Sendable {
    private let start: CalendarStamp
    private let end: CalendarStamp?
    private let duration: TimeSpan?

    /// `nil` where the event does not say when it begins, or says it in no form that is known.
    init?(_ event: [VCardProperty], _ clocks: [String: CalendarClock]) {
        func stamp(_ name: String) -> CalendarStamp?? {
            let found = event.filter { $0.name == name }
            guard let first = found.first else { return .some(nil) }
            return found.count > 1 ? nil : CalendarStamp(first, clocks).map { .some($0) }
        }
        guard let start = stamp("DTSTART") ?? nil, let end = stamp("DTEND") else { return nil }
        let lengths = event.filter { $0.name == "DURATION" }
        let duration = lengths.first.flatMap { try? TimeSpan.parse($0.plainText) }
        guard lengths.count <= 1, (duration == nil) == lengths.isEmpty else { return nil }
        self.start = start
        self.end = end
        self.duration = duration
    }

    /// What begins when a property says, such as the date of a meeting that has several (RFC 5545,
    /// 3.8.4.4).
    init?(from property: VCardProperty, _ clocks: [String: CalendarClock]) {
        guard let start = CalendarStamp(property, clocks) else { return nil }
        self.start = start
        end = nil
        duration = nil
    }

    /// When that is.
    ///
    /// - Parameters:
    ///   - zones: the zone rules, where it names a zone that is known here; else it has to bring
    ///     rules of its own.
    ///   - own: by whose clocks it is meant where it names none.
    ///   - usual: how long it lasts where it does not say.
    /// - Returns: both ends; `nil` where it ends before it begins, or its clocks are not known.
    public func moments(
        by zones: ZoneDirectory, else own: Zone, lasting usual: TimeSpan
    ) -> (start: Moment, end: Moment)? {
        guard let zone = start.zone(by: zones, else: own) else { return nil }
        let first = zone.moment(of: start.wall)
        var last = (duration ?? (start.isDay ? TimeSpan(days: 1, seconds: 0) : usual))
            .after(start.wall, in: zone)
        if let end {
            guard let zone = end.zone(by: zones, else: own) else { return nil }
            last = zone.moment(of: end.wall)
        }
        return last < first ? nil : (first, last)
    }
}

/// A time as a calendar object says it: a day, or a time by somebody's clocks.
private struct CalendarStamp: Equatable, Sendable {
    private enum Clock: Equatable {
        case utc
        case anybodys
        case named(String, CalendarClock?)
    }

    let wall: WallTime
    let isDay: Bool
    private let clock: Clock

    init?(_ property: VCardProperty, _ clocks: [String: CalendarClock]) {
        let text = property.plainText
        guard let wall = CalendarDigits.wall(text) else { return nil }
        self.wall = wall
        isDay = !text.contains("T")
        let name = property.parameter("TZID")
        clock =
            text.hasSuffix("Z")
            ? .utc : isDay ? .anybodys : name.map { .named($0, clocks[$0]) } ?? .anybodys
    }

    /// The rules that are known here win over those that came along: they know every year.
    func zone(by zones: ZoneDirectory, else own: Zone) -> Zone? {
        switch clock {
        case .utc: .utc
        case .anybodys: own
        case .named(let name, let rules): Self.zone(name, by: zones) ?? rules?.zone(at: wall)
        }
    }

    /// Some programs write a name of theirs before that of the zone: "/example.org/Europe/Paris".
    private static func zone(_ name: String, by zones: ZoneDirectory) -> Zone? {
        let parts = name.split(separator: "/")
        let names =
            [name]
            + [2, 3].filter { $0 < parts.count }.map {
                parts.suffix($0).joined(separator: "/")
            }
        return names.lazy.compactMap { try? zones.zone($0) }.first
    }
}

/// Times as calendar objects write them.
enum CalendarDigits {
    /// `20261205T100000Z`, the letter `Z` or none, or `20261205` for the midnight that it begins
    /// with.
    static func wall(_ text: String) -> WallTime? {
        let octets = Array(text.utf8)
        guard [8, 15, 16].contains(octets.count),
            octets.count == 8 || octets[8] == UInt8(ascii: "T"),
            octets.count < 16 || octets[15] == UInt8(ascii: "Z")
        else { return nil }
        let digits = octets.prefix(8) + octets.dropFirst(9).prefix(6)
        guard digits.allSatisfy(\.isASCIIDigit) else { return nil }
        let day = "\(part(octets[0..<4]))-\(part(octets[4..<6]))-\(part(octets[6..<8]))"
        guard octets.count > 8 else { return try? WallTime.parse("\(day)T00:00:00") }
        let time = [9..<11, 11..<13, 13..<15].map { part(octets[$0]) }.joined(separator: ":")
        return try? WallTime.parse("\(day)T\(time)")
    }

    private static func part(_ octets: ArraySlice<UInt8>) -> String {
        String(decoding: octets, as: UTF8.self)
    }

    /// An offset as RFC 5545, 3.3.14 has it, in seconds: "+0200", "-003015".
    static func offset(_ text: String) -> Int? {
        let octets = Array(text.utf8)
        guard [5, 7].contains(octets.count), "+-".utf8.contains(octets[0]),
            octets.dropFirst().allSatisfy(\.isASCIIDigit)
        else { return nil }
        let parts = stride(from: 1, to: octets.count, by: 2).compactMap {
            Int(part(octets[$0..<($0 + 2)]))
        }
        guard parts[0] < 24, parts.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        let seconds = zip(parts, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
        return octets[0] == UInt8(ascii: "-") ? -seconds : seconds
    }
}
