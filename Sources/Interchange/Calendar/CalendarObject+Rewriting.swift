public import Timekeeping

extension CalendarObject {
    /// What of an event may be other than its calendar said.
    public enum Part: CaseIterable, Sendable {
        /// What it is about.
        case title
        /// What else there is to say.
        case details
        /// Where to join from afar.
        case link
        /// Where it takes place.
        case location
        /// When, and how it repeats.
        case times
        /// Whether it takes place.
        case state

        fileprivate var names: Set<String> {
            switch self {
            case .title: ["SUMMARY"]
            // What says the same in another form would say what it was.
            case .details: ["DESCRIPTION", "X-ALT-DESC", "STYLED-DESCRIPTION"]
            case .link: ["URL"]
            case .location: ["LOCATION", "GEO", "X-APPLE-STRUCTURED-LOCATION"]
            case .times: ["DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE", "RDATE", "EXDATE"]
            case .state: ["STATUS"]
            }
        }
    }

    /// The event as it is now, with all else that its calendar says of it as it was.
    ///
    /// - Parameters:
    ///   - event: how it is now.
    ///   - isOff: whether it is off.
    ///   - parts: what of it is other than it was.
    ///   - now: the clock.
    ///   - directory: the zone rules of the system.
    /// - Returns: the object; as it was, where nothing is other.
    public func rewritten(
        as event: CalendarEvent, isOff: Bool, in parts: Set<Part>, at now: Moment,
        by directory: ZoneDirectory
    ) -> CalendarObject {
        guard !parts.isEmpty else { return self }
        let zones = CalendarZones(calendar)
        let old = components.map { CalendarEntry($0, by: zones, directory) }
        guard let whole = old.first(where: { $0.recurrenceID == nil }) ?? old.first else {
            return self
        }
        let write = Writer(isOff: isOff, now: now)
        let main = write(whole.component, as: event, in: parts)
        let ofDates = parts.contains(.times) ? parts.union([.location, .state]) : parts
        let names = event.changes.map(\.original)
        let dates = event.changes.compactMap { change in
            let known = old.first { $0.original(in: event.zone) == change.original }
            return known.map { write($0.component, as: change, in: ofDates) }
                ?? (parts.contains(.times) ? write.date(change, like: main) : nil)
        }
        // What is otherwise on them in words alone is no change to a meeting.
        let others = old.filter { entry in
            guard let original = entry.original(in: event.zone), !parts.contains(.times) else {
                return false
            }
            return !names.contains(original)
        }.map { write($0.component, as: event, in: parts) }
        var object = CalendarObject(
            kind: kind, uid: uid, components: [main] + dates + others,
            zones: self.zones, head: head)
        if let zone = event.zoneComponent, !object.describes(zone) { object.add(zone) }
        return object
    }

    private func describes(_ zone: CalendarComponent) -> Bool {
        zones.contains { $0.isOfSameName(as: zone) }
    }
}

/// Writes what is other into what a calendar said.
private struct Writer {
    let isOff: Bool
    let now: Moment

    /// What versions of an event go by.
    private static let stamps: Set = ["DTSTAMP", "SEQUENCE", "LAST-MODIFIED"]

    func callAsFunction(
        _ component: CalendarComponent, as event: CalendarEvent, in parts: Set<CalendarObject.Part>
    ) -> CalendarComponent {
        let state = CalendarLine("STATUS", raw: isOff ? "CANCELLED" : "CONFIRMED")
        let lines = event.lines(at: now) + [state]
        return ([Self.stamps] + CalendarObject.Part.allCases.filter(parts.contains).map(\.names))
            .reduce(component) { component, names in
                component.replacing(names, by: lines.filter { names.contains($0.name) })
            }
    }

    /// A date that was not otherwise until now.
    func date(_ change: CalendarEvent, like main: CalendarComponent) -> CalendarComponent {
        let name = change.lines(at: now).filter { $0.name == "RECURRENCE-ID" }
        return self(
            main.replacing(["UID"], by: main.lines("UID") + name), as: change,
            in: Set(CalendarObject.Part.allCases))
    }
}

extension CalendarEntry {
    /// When it would begin by the rule, where it is one date of a series.
    fileprivate func original(in own: Zone) -> Moment? { recurrenceID?.moment(in: own) }
}
