import Timekeeping

/// Brings together what several calendars of one file say about the same events, such as a series
/// and its moved dates.
struct BusyJoining {
    /// The most zones of one event. A file with more has been made up, and its event is not joined
    /// any further.
    private static let zonesMax = 50

    private let calendars: [CalendarComponent]
    private let directory: ZoneDirectory
    /// The calendars in which the events that several of them contain appear first, by UID.
    private let places: [String: Int]

    init(_ calendars: [CalendarComponent], by directory: ZoneDirectory) {
        self.calendars = calendars.map(\.withCancellations)
        self.directory = directory
        var first: [String: Int] = [:]
        var shared: Set<String> = []
        for (place, calendar) in calendars.enumerated() {
            for uid in BusyCalendar.uids(of: [calendar]) where !uid.isEmpty {
                if first[uid, default: place] != place { shared.insert(uid) }
                first[uid] = first[uid] ?? place
            }
        }
        places = first.filter { shared.contains($0.key) }
    }

    /// The calendars, with each event that stands in several of them in one of its own.
    var joined: [CalendarComponent] {
        guard !places.isEmpty else { return calendars }
        var events: [String: [CalendarObject]] = [:]
        for calendar in calendars {
            for object in shared(in: calendar) {
                guard let last = events[object.uid]?.indices.last,
                    events[object.uid]?[last].zones.count ?? 0 < Self.zonesMax
                else {
                    events[object.uid, default: []].append(object)
                    continue
                }
                events[object.uid]?[last].add(object, by: directory)
            }
        }
        let uids = Dictionary(grouping: places.keys.sorted()) { places[$0] ?? 0 }
        return calendars.enumerated().flatMap { place, calendar in
            [withoutShared(calendar)]
                + (uids[place] ?? []).flatMap { events[$0] ?? [] }.map(\.calendar)
        }
    }

    private func isShared(_ component: CalendarComponent) -> Bool {
        component.name == "VEVENT" && component.line("UID").map { places[$0.text] != nil } ?? false
    }

    /// The events of a calendar that others contain, too, with their times in its default zone.
    private func shared(in calendar: CalendarComponent) -> [CalendarObject] {
        guard calendar.components.contains(where: isShared) else { return [] }
        let usual = CalendarZones(calendar).usualZone(by: directory)?.id
        return CalendarObject.all(in: calendar).filter {
            $0.kind == "VEVENT" && places[$0.uid] != nil
        }.map { object in usual.map { object.inZone(named: $0) } ?? object }
    }

    private func withoutShared(_ calendar: CalendarComponent) -> CalendarComponent {
        var calendar = calendar
        calendar.items.removeAll { item in
            if case .component(let component) = item { isShared(component) } else { false }
        }
        return calendar
    }
}

extension CalendarComponent {
    /// The calendar, with its events cancelled if it is a cancellation (RFC 5546, 3.2.5).
    fileprivate var withCancellations: CalendarComponent {
        guard line("METHOD")?.plainText.uppercased() == "CANCEL" else { return self }
        var calendar = self
        calendar.items = items.map { item in
            guard case .component(let event) = item, event.name == "VEVENT" else { return item }
            let status = CalendarLine("STATUS", raw: "CANCELLED")
            return .component(event.replacing(["STATUS"], by: [status]))
        }
        return calendar
    }
}
