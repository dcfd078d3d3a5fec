public import Timekeeping

/// Meetings as a file for import into calendar programs. It asks nobody for an answer, so it names
/// no people.
public struct CalendarFile: Sendable {
    /// One entry of the file.
    public enum Entry: Sendable {
        /// A meeting.
        case event(CalendarEvent)
        /// An object from another calendar, in its current state.
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

    /// The calendar object, stamped with the time `now`, with valid values alone.
    public func octets(at now: Moment) -> [UInt8] {
        var output: [UInt8] = []
        CalendarComponent(
            "VCALENDAR", head,
            CalendarFileZones(entries, by: directory).components
                + entries.flatMap { $0.components(at: now, by: directory) }
        ).append(to: &output)
        return output
    }
}

extension CalendarFile {
    /// The calendar properties: our own, and those that all imported calendars have in common.
    private var head: [CalendarLine] {
        let own = [
            CalendarLine("VERSION", raw: "2.0"),
            CalendarLine("PRODID", raw: "-//letsmeet//letsmeet//EN"),
        ]
        let heads = entries.compactMap { entry -> [CalendarLine]? in
            if case .object(let object) = entry { object.head } else { nil }
        }
        var common = Set((heads.first ?? []).map(\.unfolded))
        for head in heads.dropFirst() where !common.isEmpty {
            common.formIntersection(head.map(\.unfolded))
        }
        // A property that only one of the imported calendars has would also apply to the contents
        // of the others. METHOD is dropped because a file is not a scheduling message.
        let left: Set = ["VERSION", "PRODID", "METHOD"]
        return own
            + (heads.first ?? []).filter { line in
                !left.contains(line.name) && common.contains(line.unfolded)
            }
    }
}

extension [CalendarFile.Entry] {
    /// The same entries, with zones renamed where two calendars use one name for different zones,
    /// so that each name means one zone (RFC 5545, 3.8.3.1).
    fileprivate func withZonesOfOneMeaning(by directory: ZoneDirectory) -> [Element] {
        // The descriptions by the names of their zones in the file.
        var known: [String: String] = [:]
        // By the name and the description of a zone, its name in the file.
        var chosen: [[String]: String] = [:]
        var counts: [String: Int] = [:]
        func free(_ name: String, for description: String) -> String {
            while true {
                let count = counts[name, default: 0] + 1
                counts[name] = count
                let other = count == 1 ? name : "\(name) \(count)"
                if known[other] ?? description == description { return other }
            }
        }
        return map { entry in
            guard case .object(var object) = entry else { return entry }
            for zone in object.zones {
                let name = zone.zoneName
                // A name that the system knows always means the system's zone, whatever the file's
                // description.
                guard !CalendarZones.isKnown(name, by: directory) else { continue }
                let description = zone.unfolded
                let other = chosen[[name, description]] ?? free(name, for: description)
                chosen[[name, description]] = other
                known[other] = description
                if other != name { object.rename(zone: name, to: other) }
            }
            return .object(object)
        }
    }
}

extension CalendarFile.Entry {
    fileprivate func components(
        at now: Moment, by directory: ZoneDirectory
    ) -> [CalendarComponent] {
        switch self {
        case .event(let event):
            return event.all.map { event in
                let state = CalendarLine("STATUS", raw: event.isOff ? "CANCELLED" : "CONFIRMED")
                return CalendarComponent(
                    "VEVENT", event.lines(at: now) + [state], event.alarmComponents)
            }
        case .object(let object):
            let stamp = CalendarLine("DTSTAMP", raw: CalendarTime.utc(now))
            let zones = object.zoneRules
            return object.components.map { written in
                let component = written.withOneEnd(by: zones, directory)
                    .withoutUnknownZones(by: zones, directory).valid()
                // RFC 5545, 3.6.1 requires a DTSTAMP, but not all programs write one.
                return CalendarCheck.stamped.contains(component.name)
                    && component.line("DTSTAMP") == nil
                    ? component.replacing(["DTSTAMP"], by: [stamp]) : component
            }
        }
    }
}
