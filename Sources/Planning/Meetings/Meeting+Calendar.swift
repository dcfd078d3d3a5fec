public import Agenda
public import Interchange
public import Timekeeping

extension Meeting {
    /// The meeting as calendars know it: of a series the whole, with its dates that are otherwise.
    ///
    /// - Parameters:
    ///   - facts: what its reader is to know of it.
    ///   - sequence: how many changes they have to heed.
    ///   - date: the name of the date of a series that it is; empty for all else.
    ///   - absences: the dates of a series that are not its reader's, by their names.
    ///   - others: dates of a series that stand apart, though nothing else is otherwise on them.
    ///   - zones: the zone rules.
    /// - Returns: the meeting, in UTC where its zone is not known any more.
    public func calendarEvent(
        telling facts: MeetingFacts, sequence: Int, on date: String = "",
        without absences: Set<String> = [], apart others: Set<String> = [],
        by zones: ZoneDirectory
    ) -> CalendarEvent {
        let zone = (try? zones.zone(facts.time.zone)) ?? .utc
        let time = facts.time.byToday(of: zone)
        var event = CalendarEvent(
            uid: uid, sequence: sequence, title: facts.title, start: time.startsAt,
            end: time.endsAt, zone: zone)
        event.details = [note, link].filter { !$0.isEmpty }.joined(separator: "\n\n")
        event.link = link
        event.location = place.map(CalendarEvent.Location.init)
        event.isOff = status == .cancelled
        event.original = Self.start(named: date, in: zone)
        guard let rule = facts.rule, let series else { return event }
        event.rule = rule
        event.lastEnd = series.endsAt
        let moved = Set(series.changes.filter { $0.value.time != nil }.keys)
        let byRule = datesByRule(named: moved.union(others), in: zone)
        let added = moved.subtracting(byRule)
        let others = others.intersection(byRule.union(moved))
        for name in absences.union(others).union(series.changes.keys).sorted() {
            guard let start = Self.start(named: name, in: zone),
                let date = self.date(named: name, in: zone)
            else { continue }
            let isAdded = added.contains(name)
            guard !isAdded || date.isOn && !absences.contains(name) else { continue }
            if isAdded { event.additions.append(start) }
            guard !isAdded || others.contains(name) || !isPlain(date, in: zone) else { continue }
            guard date.isOn, !absences.contains(name) else {
                event.exceptions.append(start)
                continue
            }
            let dated = on(date)
            event.changes.append(
                dated.calendarEvent(
                    telling: dated.facts, sequence: max(sequence, dated.sequence), on: name,
                    by: zones))
        }
        return event
    }

    /// Whether a date is as others are, but for when.
    private func isPlain(_ date: SeriesDate, in zone: Zone) -> Bool {
        date.time == self.date(named: date.name, byRule: true, in: zone)?.time
            && date.change?.place == .asAll
    }

    /// When a date of a series would begin by its rule, by its name.
    static func start(named date: String, in zone: Zone) -> Moment? {
        guard case .wall(let wall)? = CalendarStamp(date) else { return nil }
        return zone.moment(of: wall)
    }
}

extension CalendarEvent.Location {
    fileprivate init(_ place: MeetingPlace) {
        var position: (Double, Double)?
        if let latitude = place.latitude, let longitude = place.longitude {
            position = (latitude, longitude)
        }
        self.init(text: place.text, position: position)
    }
}
