import Timekeeping

/// The zones that a file names, each of which it has to describe once (RFC 5545, 3.6.5).
struct CalendarFileZones {
    private let directory: ZoneDirectory
    /// The rules that hold, by the names that stand in the file.
    private var rules: [String: Zone] = [:]
    /// As calendars described them that were read.
    private var described: [String: CalendarComponent] = [:]
    /// From when on to when anything takes place.
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
        widen(to: [span.lowerBound, span.upperBound])
    }

    private mutating func add(_ object: CalendarObject) {
        for zone in object.zones {
            let name = zone.zoneName
            described[name] = described[name] ?? zone
        }
        let names = Set(object.components.flatMap(\.zoneNames))
        for name in names where rules[name] == nil && !name.isEmpty {
            // A zone that the object describes itself needs no other rules.
            guard CalendarZones.isKnown(name, by: directory) || described[name] == nil else {
                continue
            }
            rules[name] = CalendarZones(object.calendar).zone(name, by: directory)
        }
        widen(to: object.components.flatMap(Self.moments))
    }

    private mutating func widen(to moments: [Moment]) {
        for moment in moments {
            let known = span ?? moment...moment
            span = min(known.lowerBound, moment)...max(known.upperBound, moment)
        }
    }

    /// When a component takes place first and last; what repeats goes on for a while.
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

    /// Each of them, in the order of their names: as it was described, where that is right for all
    /// the time in which anything takes place.
    var components: [CalendarComponent] {
        guard let span else { return described.inOrder }
        var components = described
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
    /// Whether its clocks show what a description says, within some time.
    fileprivate func shows(
        as component: CalendarComponent, within span: ClosedRange<Moment>
    ) -> Bool {
        // Descriptions begin where they do, and say nothing of the time before.
        Zone(named: id, described: component).map {
            $0.clocks(from: span.lowerBound, through: span.upperBound)
                == clocks(from: span.lowerBound, through: span.upperBound)
        } ?? false
    }
}
