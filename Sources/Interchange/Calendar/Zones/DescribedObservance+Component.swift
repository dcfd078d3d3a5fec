import Timekeeping

extension Zone {
    /// The zone that a component describes (RFC 5545, 3.6.5); `nil` if the description cannot be
    /// read as a whole.
    init?(named name: String, described component: CalendarComponent) {
        var left = Self.describedChangesMax
        self.init(named: name, described: component, changesLeft: &left)
    }

    init?(named name: String, described component: CalendarComponent, changesLeft left: inout Int) {
        let parts = component.components.filter { ["STANDARD", "DAYLIGHT"].contains($0.name) }
        let changes = parts.compactMap(DescribedObservance.init)
        guard changes.count == parts.count, left > 0 else { return nil }
        self.init(id: name, changes: changes, changesLeft: &left)
    }
}

extension DescribedObservance {
    /// A change of the clocks; `nil` if a part of it cannot be read, because a change at another
    /// time would be a guess.
    fileprivate init?(_ component: CalendarComponent) {
        guard let onset = component.line("DTSTART")?.plainText.firstWall,
            let before = component.line("TZOFFSETFROM").flatMap(Self.offset),
            let after = component.line("TZOFFSETTO").flatMap(Self.offset),
            component.line("EXDATE") == nil, component.line("EXRULE") == nil
        else { return nil }
        self.init(
            onset: onset, before: before, after: after, isDaylight: component.name == "DAYLIGHT",
            abbreviation: component.line("TZNAME")?.text ?? "")
        let said = component.lines("RRULE")
        rules = said.compactMap { try? RecurrenceRule($0.plainText) }
        let texts = component.lines("RDATE").flatMap(\.values)
        // Of a period, the start counts.
        dates = texts.compactMap { CalendarStamp($0.prefix { $0 != "/" }) }
        guard rules.count == said.count, dates.count == texts.count else { return nil }
    }

    /// An offset in the form of RFC 5545, 3.3.14 ("+0200", "-003015") in seconds. Some programs
    /// leave the plus sign out, or write a colon between hours and minutes.
    private static func offset(_ line: CalendarLine) -> Int? {
        let octets = line.plainText.utf8.filter { !": ".utf8.contains($0) }
        let digits = octets.drop { "+-".utf8.contains($0) }.map { Int($0) - 0x30 }
        guard [4, 6].contains(digits.count), digits.allSatisfy((0...9).contains),
            octets.count - digits.count <= 1
        else { return nil }
        let parts = stride(from: 0, to: digits.count, by: 2).map {
            digits[$0] * 10 + digits[$0 + 1]
        }
        guard parts[0] < 24, parts.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        let seconds = zip(parts, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
        return octets.first == UInt8(ascii: "-") ? -seconds : seconds
    }
}

extension String {
    /// The wall-clock time in the text. A time in UTC is read as wall-clock time too, because some
    /// programs add a wrong Z.
    fileprivate var firstWall: WallTime? {
        switch CalendarStamp(self) {
        case .wall(let wall)?: wall
        case .day(let day)?: WallTime(date: day, time: .midnight)
        case .utc(let moment)?: WallTime(secondsSince1970: moment.seconds)
        case nil: nil
        }
    }
}
