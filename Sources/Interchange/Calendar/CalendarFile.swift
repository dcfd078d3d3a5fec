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
    private let directory: ZoneDirectory

    /// A file of these meetings.
    ///
    /// - Parameters:
    ///   - entries: the meetings.
    ///   - directory: the zone rules of the system.
    public init(_ entries: [Entry], by directory: ZoneDirectory) {
        self.directory = directory
        self.entries = entries.withZonesOfOneMeaning(by: directory)
    }

    /// The calendar object, as it was at a moment.
    public func octets(at now: Moment) -> [UInt8] {
        var output: [UInt8] = []
        CalendarComponent(
            "VCALENDAR", head,
            CalendarFileZones(entries, by: directory).components
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
}

extension [CalendarFile.Entry] {
    /// The same, where a name of a zone stands for one zone: two calendars may describe two by the
    /// same name (RFC 5545, 3.8.3.1).
    fileprivate func withZonesOfOneMeaning(by directory: ZoneDirectory) -> [Element] {
        var known: [String: CalendarComponent] = [:]
        return map { entry in
            guard case .object(var object) = entry else { return entry }
            for zone in object.zones {
                let name = zone.zoneName
                // Whatever it is described as, all read it as the system knows it.
                guard !CalendarZones.isKnown(name, by: directory) else { continue }
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
    fileprivate func components(at now: Moment) -> [CalendarComponent] {
        switch self {
        case .event(let event):
            return event.all.map { event in
                let state = CalendarLine("STATUS", raw: event.isOff ? "CANCELLED" : "CONFIRMED")
                return CalendarComponent(
                    "VEVENT", event.lines(at: now) + [state], event.alarmComponents)
            }
        case .object(let object):
            let stamp = CalendarLine("DTSTAMP", raw: CalendarTime.utc(now))
            return object.components.map { component in
                // What takes place has one (RFC 5545, 3.6.1), though not all programs write it.
                CalendarCheck.stamped.contains(component.name) && component.line("DTSTAMP") == nil
                    ? component.replacing(["DTSTAMP"], by: [stamp]) : component
            }
        }
    }
}
