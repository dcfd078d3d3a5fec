public import Timekeeping

/// Meetings as a file that calendar programs import: it asks nobody for an answer, so nobody is
/// named in it.
public struct CalendarFile: Sendable {
    /// What stands in it.
    public enum Entry: Sendable {
        /// A meeting, and whether it is off.
        case event(CalendarEvent, isOff: Bool)
        /// What another calendar said, as it is now.
        case object(CalendarObject)
    }

    private let entries: [Entry]

    /// A file of these meetings.
    public init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// The calendar object, as it was at a moment.
    public func octets(at now: Moment) -> [UInt8] {
        var output: [UInt8] = []
        CalendarComponent(
            "VCALENDAR", head,
            zones
                + entries.flatMap { $0.components(at: now) }
        ).append(to: &output)
        return output
    }
}

extension CalendarFile {
    /// What a calendar says of itself, and what stands there of what others said of all in theirs.
    private var head: [CalendarLine] {
        let own = [
            CalendarLine("VERSION", raw: "2.0"),
            CalendarLine("PRODID", raw: "-//letsmeet//letsmeet//EN"),
        ]
        var read: [String: Set<String>] = [:]
        var lines: [CalendarLine] = []
        for entry in entries {
            guard case .object(let object) = entry else { continue }
            for line in object.head
            where read[line.name, default: []].insert(line.unfolded).inserted {
                lines.append(line)
            }
        }
        // What calendars say that contradict each other holds for none, and a file is no message.
        let left: Set = ["VERSION", "PRODID", "METHOD"]
        return own + lines.filter { !left.contains($0.name) && read[$0.name]?.count == 1 }
    }

    /// The zones that are named, each once: as the system knows it where a meeting of ours names
    /// it, for all the years in which anything takes place, else as the first calendar had it.
    private var zones: [CalendarComponent] {
        var own: [String: Zone] = [:]
        var read: [String: CalendarComponent] = [:]
        for entry in entries {
            switch entry {
            case .event(let event, _): if event.span != nil { own[event.zone.id] = event.zone }
            case .object(let object):
                for zone in object.zones {
                    let name = zone.line("TZID")?.text ?? ""
                    read[name] = read[name] ?? zone
                }
            }
        }
        let moments = entries.flatMap(\.moments)
        if let first = moments.min(), let last = moments.max() {
            for (name, zone) in own { read[name] = zone.component(from: first, through: last) }
        }
        return read.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension CalendarFile.Entry {
    /// Within which time zones have to be described.
    fileprivate var moments: [Moment] {
        switch self {
        case .event(let event, _): event.span.map { [$0.lowerBound, $0.upperBound] } ?? []
        case .object(let object):
            object.components.flatMap { $0.lines("DTSTART") + $0.lines("DTEND") }
                .compactMap { line in
                    guard case .wall(let wall)? = CalendarStamp(line.plainText) else { return nil }
                    return Zone.utc.moment(of: wall)
                }
        }
    }

    fileprivate func components(at now: Moment) -> [CalendarComponent] {
        switch self {
        case .event(let event, let isOff):
            let state = [CalendarLine("STATUS", raw: isOff ? "CANCELLED" : "CONFIRMED")]
            return event.all.map { CalendarComponent("VEVENT", $0.lines(at: now) + state) }
        case .object(let object): return object.components
        }
    }
}
