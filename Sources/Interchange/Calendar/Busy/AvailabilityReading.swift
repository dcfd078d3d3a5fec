import Timekeeping

/// Removes private data from a VAVAILABILITY (RFC 7953), so that only times are left.
///
/// A time that cannot be read counts as busy: an available time is left out, and a range has no
/// limit.
struct AvailabilityReading {
    /// The doubts so far.
    private(set) var doubts: BusyDoubts
    private let zones: CalendarZones
    private let directory: ZoneDirectory

    init(_ doubts: BusyDoubts, _ zones: CalendarZones, _ directory: ZoneDirectory) {
        self.doubts = doubts
        self.zones = zones
        self.directory = directory
    }

    /// The component with its range, its priority and its available times alone.
    mutating func stripped(_ component: CalendarComponent) -> CalendarComponent {
        let component = inUsualZone(component)
        let range = ["DTSTART", "DTEND", "DURATION"].compactMap(component.line)
        let times = range.compactMap(time)
        if times.count < range.count, let first = range.first {
            doubts.note(.availability, at: first.number)
        }
        let said = ["BUSYTYPE", "PRIORITY"].compactMap(component.line)
        let plain = said.filter { Self.isKnown($0) }
        for line in said where !Self.isKnown(line) { doubts.note(.availability, at: line.number) }
        return CalendarComponent("VAVAILABILITY", times + plain, available(in: component))
    }

    private func inUsualZone(_ component: CalendarComponent) -> CalendarComponent {
        guard let usual = zones.usualZone(by: directory)?.id else { return component }
        var component = component.inZone(named: usual)
        component.items = component.items.map { item in
            guard case .component(let part) = item else { return item }
            return .component(part.inZone(named: usual))
        }
        return component
    }

    private static func isKnown(_ line: CalendarLine) -> Bool {
        line.name == "PRIORITY"
            ? Int(line.plainText) != nil
            : BusyAvailability.types.contains(line.plainText.uppercased())
    }

    /// The available times. Those with the same UID count together, because a changed date that is
    /// missing would be available at its original time.
    private mutating func available(in component: CalendarComponent) -> [CalendarComponent] {
        let parts = component.components.filter { $0.name == "AVAILABLE" }
        var names: [String: Int] = [:]
        var unread: Set<Int> = []
        var read: [(name: Int, part: CalendarComponent)] = []
        for part in parts {
            let uid = part.line("UID")?.text ?? ""
            let name = uid.isEmpty ? names.count : names[uid] ?? names.count
            names[uid.isEmpty ? "\n\(name)" : uid] = name
            if let times = times(of: part, called: name) {
                read.append((name, times))
            } else {
                doubts.note(.available, at: part.number)
                unread.insert(name)
            }
        }
        return read.filter { !unread.contains($0.name) }.map(\.part)
    }

    /// An AVAILABLE component with its times alone; `nil` if one of them cannot be read.
    private func times(of part: CalendarComponent, called name: Int) -> CalendarComponent? {
        let said = ["RECURRENCE-ID", "DTSTART", "DTEND", "DURATION", "RDATE", "EXDATE"]
            .flatMap(part.lines)
        let times = said.compactMap(time)
        let rules = part.lines("RRULE").compactMap { try? RecurrenceRule($0.plainText) }
        guard times.count == said.count, times.contains(where: { $0.name == "DTSTART" }),
            times.contains(where: { ["DTEND", "DURATION"].contains($0.name) }),
            part.line("EXRULE") == nil, rules.count == part.lines("RRULE").count
        else { return nil }
        return CalendarComponent(
            "AVAILABLE",
            [CalendarLine("UID", raw: "\(name)")] + times
                + rules.map { CalendarLine("RRULE", raw: $0.description) })
    }

    /// A line with its times alone; `nil` if one of them cannot be read, or is in an unknown zone.
    private func time(_ line: CalendarLine) -> CalendarLine? {
        guard let times = line.timesAlone, times.values.count == line.values.count else {
            return nil
        }
        let name = times.parameter("TZID") ?? ""
        guard !name.isEmpty, times.hasWallTime else { return times }
        return zones.zone(name, by: directory) == nil ? nil : times
    }
}
