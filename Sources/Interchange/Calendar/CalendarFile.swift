public import Timekeeping

/// Meetings as a file that calendar programs import: it asks nobody for an answer, so nobody is
/// named in it.
public struct CalendarFile: Sendable {
    /// What stands in it.
    public enum Entry: Sendable {
        /// A meeting.
        case event(CalendarEvent)
        /// What another calendar said, as it is now.
        case object(CalendarObject)
    }

    private let entries: [Entry]

    /// A file of these meetings.
    public init(_ entries: [Entry]) {
        self.entries = entries.withZonesOfOneMeaning
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
        let heads = entries.compactMap { entry -> [CalendarLine]? in
            if case .object(let object) = entry { object.head } else { nil }
        }
        let common = heads.map { Set($0.map(\.unfolded)) }
        // What a calendar says of all in it would be said of what stood in another, and a file is
        // no message.
        let left: Set = ["VERSION", "PRODID", "METHOD"]
        return own
            + (heads.first ?? []).filter { line in
                !left.contains(line.name) && common.allSatisfy { $0.contains(line.unfolded) }
            }
    }

    /// The zones that are named, each once: as the system knows it where a meeting of ours names
    /// it, for all the years in which anything takes place, else as the first calendar had it.
    private var zones: [CalendarComponent] {
        var own: [String: Zone] = [:]
        var read: [String: CalendarComponent] = [:]
        for entry in entries {
            switch entry {
            case .event(let event): if event.span != nil { own[event.zone.id] = event.zone }
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

extension [CalendarFile.Entry] {
    /// The same, where a name of a zone stands for one zone: two calendars may describe two by the
    /// same name (RFC 5545, 3.8.3.1).
    fileprivate var withZonesOfOneMeaning: [Element] {
        var known: [String: CalendarComponent] = [:]
        return map { entry in
            guard case .object(var object) = entry else { return entry }
            for zone in object.zones {
                let name = zone.line("TZID")?.text ?? ""
                let other =
                    (1...).lazy.map { $0 == 1 ? name : "\(name) \($0)" }
                    .first { known[$0]?.unfolded ?? zone.unfolded == zone.unfolded } ?? name
                known[other] = zone
                if other != name { object.rename(zone: name, to: other) }
            }
            return .object(object)
        }
    }
}

extension CalendarFile.Entry {
    /// Within which time zones have to be described.
    fileprivate var moments: [Moment] {
        switch self {
        case .event(let event): event.span.map { [$0.lowerBound, $0.upperBound] } ?? []
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
        case .event(let event):
            return event.all.map { event in
                let state = CalendarLine("STATUS", raw: event.isOff ? "CANCELLED" : "CONFIRMED")
                return CalendarComponent(
                    "VEVENT", event.lines(at: now) + [state], event.alarmComponents)
            }
        case .object(let object): return object.components
        }
    }
}
