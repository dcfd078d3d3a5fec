public import Timekeeping

extension CalendarObject {
    /// The object updated to a changed event. All other properties from the original calendar stay
    /// as they are.
    ///
    /// - Parameters:
    ///   - event: the event in its current state.
    ///   - before: the event as it was when the calendar was read.
    ///   - own: the zone of times without a zone.
    ///   - now: the current time.
    ///   - directory: the zone rules of the system.
    /// - Returns: the updated object; the object itself if nothing changed.
    public func rewritten(
        as event: CalendarEvent, from before: CalendarEvent, in own: Zone, at now: Moment,
        by directory: ZoneDirectory
    ) -> CalendarObject {
        let zones = zoneRules
        let old = entries(by: zones, directory)
        let dates = old.filter { $0.recurrenceID != nil }
        let whole =
            old.filter { $0.recurrenceID == nil }.newest
            ?? newestDates(in: own, by: directory).standingForWhole
        guard let whole, !event.isSame(as: before) else { return self }
        let rewriting = CalendarRewriting(
            event: event.written(like: whole), before: before, whole: whole, now: now)
        var object = CalendarObject(
            kind: kind, uid: uid,
            components: rewriting.components(
                of: dates.filter { $0.component != whole.component }),
            zones: self.zones, head: head)
        if let zone = rewriting.event.zoneComponent, !object.describes(zone) { object.add(zone) }
        return object
    }

    private func describes(_ zone: CalendarComponent) -> Bool {
        zones.contains { $0.isOfSameName(as: zone) }
    }
}

extension [CalendarEntry] {
    /// The newest of several versions of one component; among equals the last.
    public var newest: CalendarEntry? {
        first.map { first in
            dropFirst().reduce(first) { $1.component.isOlder(than: $0.component) ? $0 : $1 }
        }
    }
}

/// Writes the changes to an event into the original calendar object.
private struct CalendarRewriting {
    let event: CalendarEvent
    let before: CalendarEvent
    let whole: CalendarEntry
    let now: Moment

    func components(of dates: [CalendarEntry]) -> [CalendarComponent] {
        let parts = event.parts(otherThan: before)
        let changed = written(whole, as: event, in: parts)
        // One of several single dates has no rule of its own.
        let main =
            whole.recurrenceID == nil
            ? changed : changed.replacing(["RRULE", "EXRULE", "RDATE", "EXDATE"], by: [])
        var left = Dictionary(event.changes.map { ($0.original, $0) }) { $1 }
        var versions = Dictionary(grouping: dates, by: original).compactMapValues(\.newest)
        let known = dates.compactMap { entry -> CalendarComponent? in
            let original = original(of: entry)
            guard let date = versions.removeValue(forKey: original) else { return nil }
            return component(of: date, as: left.removeValue(forKey: renamed(original)), parts)
        }
        let new = event.changes.filter { left[$0.original] != nil }
        return [main] + known + new.map { component(of: $0, like: main) }
    }

    private func original(of date: CalendarEntry) -> Moment? {
        date.recurrenceID?.moment(in: before.zone)
    }

    /// The current identifier of an occurrence, after a change that shifts the whole series.
    private func renamed(_ original: Moment?) -> Moment? {
        guard let original else { return nil }
        let old = before.zone.wallTime(at: original).secondsSince1970
        let shift =
            event.zone.wallTime(at: event.start).secondsSince1970
            - before.zone.wallTime(at: before.start).secondsSince1970
        return event.zone.moment(of: WallTime(secondsSince1970: old + shift))
    }

    /// An occurrence that the original calendar describes.
    private func component(
        of entry: CalendarEntry, as change: CalendarEvent?, _ parts: Set<CalendarEvent.Part>
    ) -> CalendarComponent? {
        let name = original(of: entry)
        let was = before.changes.first { $0.original == name }
        if let change {
            return written(entry, as: change, in: change.parts(otherThan: was ?? before.date(name)))
        }
        let now = renamed(name)
        // A cancelled occurrence keeps its own component as long as it stays cancelled.
        if let name, before.exceptions.contains(name) {
            guard let now, event.exceptions.contains(now) else { return nil }
            let kept = parts.subtracting(CalendarEvent.ofWhole).subtracting([.state])
            return written(entry, as: event.date(now), in: kept)
        }
        // A change to the text alone of an occurrence does not count as a change to the meeting, so
        // the occurrence keeps its component.
        guard was == nil, !event.exceptions.contains(where: { $0 == now }),
            event.rule == before.rule
        else { return nil }
        return written(entry, as: event.date(now), in: parts.subtracting(CalendarEvent.ofWhole))
    }

    /// An occurrence that the original calendar does not describe.
    private func component(
        of change: CalendarEvent, like main: CalendarComponent
    ) -> CalendarComponent {
        let name = change.lines(at: now).filter { $0.name == "RECURRENCE-ID" }
        let date = main.replacing(["UID"], by: main.lines("UID") + name)
            .replacing(["RRULE", "EXRULE", "RDATE", "EXDATE"], by: [])
        return written(
            date, as: change, in: change.parts(otherThan: event.date(nil)).union([.times]))
    }

    /// Updates a component. An occurrence with its own title, description or link keeps it.
    private func written(
        _ entry: CalendarEntry, as event: CalendarEvent, in parts: Set<CalendarEvent.Part>
    ) -> CalendarComponent {
        let own = parts.filter { part in
            part.isOfWords
                && part.names.contains { entry.component.line($0) != nil }
                && part.names.contains {
                    entry.component.line($0)?.text != whole.component.line($0)?.text
                }
        }
        return written(entry.component, as: event, in: parts.subtracting(own))
    }

    private func written(
        _ component: CalendarComponent, as event: CalendarEvent, in parts: Set<CalendarEvent.Part>
    ) -> CalendarComponent {
        guard !parts.isEmpty else { return component }
        var event = event
        event.sequence = max(event.sequence, component.sequence)
        let state = CalendarLine("STATUS", raw: event.isOff ? "CANCELLED" : "CONFIRMED")
        let lines = event.lines(at: now) + [state]
        var names =
            [CalendarEvent.stamps]
            + CalendarEvent.Part.allCases.filter(parts.contains)
            .map(\.names)
        if parts.contains(.times), event.original != nil { names.append(["RECURRENCE-ID"]) }
        let written = names.reduce(component) { component, names in
            component.replacing(names, by: lines.filter { names.contains($0.name) })
        }
        return parts.contains(.alarms) ? written.reminding(event.alarmComponents) : written
    }
}

extension CalendarEvent {
    /// The parts of an event that may differ from the original calendar.
    fileprivate enum Part: CaseIterable {
        case title, details, link, location, times, additions, exceptions, state, alarms

        var names: Set<String> {
            switch self {
            case .title: ["SUMMARY"]
            // The other forms of the description go too, because they would still hold the old
            // text.
            case .details: ["DESCRIPTION", "X-ALT-DESC", "STYLED-DESCRIPTION"]
            case .link: ["URL"]
            case .location: ["LOCATION", "GEO", "X-APPLE-STRUCTURED-LOCATION"]
            case .times: ["DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE"]
            case .additions: ["RDATE"]
            case .exceptions: ["EXDATE"]
            case .state: ["STATUS"]
            case .alarms: []
            }
        }

        /// True for text that a meeting has once for all its occurrences.
        var isOfWords: Bool { [.title, .details, .link].contains(self) }
    }

    /// The properties that identify a version of an event.
    fileprivate static let stamps: Set = ["DTSTAMP", "SEQUENCE", "LAST-MODIFIED"]
    /// The parts that only a whole series has, and never a single occurrence.
    fileprivate static let ofWhole: Set<Part> = [.additions, .exceptions]

    fileprivate func parts(otherThan other: CalendarEvent) -> Set<Part> {
        let isAtOtherTime =
            start != other.start || end != other.end || zone.id != other.zone.id
            || rule != other.rule || original != other.original
        let parts: [(Part, Bool)] = [
            (.title, title != other.title), (.details, details != other.details),
            (.link, link != other.link), (.location, location != other.location),
            (.times, isAtOtherTime), (.additions, additions != other.additions || isAtOtherTime),
            (.exceptions, exceptions != other.exceptions || isAtOtherTime),
            (.state, isOff != other.isOff), (.alarms, alarms != other.alarms),
        ]
        return Set(parts.filter(\.1).map(\.0))
    }

    fileprivate func isSame(as other: CalendarEvent) -> Bool {
        parts(otherThan: other).isEmpty && changes.count == other.changes.count
            && zip(changes, other.changes).allSatisfy { $0.isSame(as: $1) }
    }

    /// One regular occurrence of the series.
    fileprivate func date(_ original: Moment?) -> CalendarEvent {
        let start = original ?? start
        var date = CalendarEvent(
            uid: uid, sequence: sequence, title: title, start: start,
            end: start.advanced(bySeconds: end.seconds - self.start.seconds), zone: zone)
        (date.details, date.link, date.location) = (details, link, location)
        (date.isOff, date.alarms, date.form) = (isOff, alarms, form)
        (date.original, date.originalForm) = (original, form)
        return date
    }

    /// The event with its times in the same form as in the original entry, if possible.
    fileprivate func written(like entry: CalendarEntry) -> CalendarEvent {
        var event = self
        switch entry.start?.stamp {
        case .day?: event.nameDays()
        case .wall? where entry.start?.zone == nil && entry.start?.unknownZone == nil:
            event.float()
        default: break
        }
        return event
    }
}

extension CalendarComponent {
    /// The component with other alarms.
    fileprivate func reminding(_ alarms: [CalendarComponent]) -> CalendarComponent {
        var component = self
        component.items.removeAll {
            if case .component(let inner) = $0 { inner.name == "VALARM" } else { false }
        }
        component.items += alarms.map(Item.component)
        return component
    }
}
