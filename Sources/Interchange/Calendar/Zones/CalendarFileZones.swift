import Timekeeping

/// The zones named in a file, each of which it must describe once (RFC 5545, 3.6.5).
struct CalendarFileZones {
    private let directory: ZoneDirectory
    /// The rules that apply, by the zone names in the file.
    private var rules: [String: Zone] = [:]
    /// The descriptions from imported calendars, by name.
    private var described: [String: CalendarComponent] = [:]
    /// The names of zones in which any time is stated.
    private var used: Set<String> = []
    /// The range of time that the entries cover.
    private var span: ClosedRange<Moment>?

    init(_ entries: [CalendarFile.Entry], by directory: ZoneDirectory) {
        self.directory = directory
        for entry in entries {
            switch entry {
            case .event(let event): add(event)
            case .object(let object): add(object)
            }
        }
    }

    private mutating func add(_ event: CalendarEvent) {
        guard let span = event.span else { return }
        rules[event.zone.id] = event.zone
        used.insert(event.zone.id)
        widen(to: [span.lowerBound, span.upperBound])
    }

    private mutating func add(_ object: CalendarObject) {
        for zone in object.zones {
            let name = zone.zoneName
            described[name] = described[name] ?? zone
        }
        let names = Set(object.components.flatMap(\.zoneNames))
        used.formUnion(names)
        for name in names where rules[name] == nil && !name.isEmpty {
            // A zone that an imported calendar describes needs no other rules, unless the system
            // knows it.
            guard CalendarZones.isKnown(name, by: directory) || described[name] == nil else {
                continue
            }
            rules[name] = object.zoneRules.zone(name, by: directory)
        }
        widen(to: object.components.flatMap(Self.moments))
    }

    private mutating func widen(to moments: [Moment]) {
        for moment in moments {
            let known = span ?? moment...moment
            span = min(known.lowerBound, moment)...max(known.upperBound, moment)
        }
    }

    /// The times named in a component; for one that repeats, also a time far in the future.
    private static func moments(of component: CalendarComponent) -> [Moment] {
        let named = ["DTSTART", "DTEND", "DUE", "RECURRENCE-ID"].flatMap(component.lines)
            .compactMap { line -> Moment? in
                guard case .wall(let wall)? = CalendarStamp(line.plainText) else { return nil }
                return Zone.utc.moment(of: wall)
            }
        let repeats = ["RRULE", "RDATE"].contains { component.line($0) != nil }
        guard repeats, let last = named.max() else { return named }
        return named + [last.advanced(bySeconds: CalendarEvent.endlessSeconds)]
    }

    /// The descriptions in the order of their names. An imported description is kept if it is
    /// correct for the range of time that the entries cover.
    var components: [CalendarComponent] {
        var components = described.filter { used.contains($0.key) }
        guard let span else { return components.inOrder }
        for (name, zone) in rules {
            if let known = described[name], zone.shows(as: known, within: span) { continue }
            components[name] = zone.component(from: span.lowerBound, through: span.upperBound)
                .replacing(["TZID"], by: [CalendarLine("TZID", text: name)])
        }
        return components.inOrder
    }
}

extension [String: CalendarComponent] {
    fileprivate var inOrder: [CalendarComponent] { sorted { $0.key < $1.key }.map(\.value) }
}

extension Zone {
    /// True if this zone has the same offsets as a description within a range of time.
    fileprivate func shows(
        as component: CalendarComponent, within span: ClosedRange<Moment>
    ) -> Bool {
        // A description says nothing about the time before its first entry.
        Zone(named: id, described: component).map {
            $0.clocks(from: span.lowerBound, through: span.upperBound)
                == clocks(from: span.lowerBound, through: span.upperBound)
        } ?? false
    }
}
