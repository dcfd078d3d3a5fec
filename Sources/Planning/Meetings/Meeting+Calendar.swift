public import Agenda
public import Interchange
public import Timekeeping

extension Meeting {
    /// The meeting as a calendar event. For a series, the event covers all dates and includes the
    /// exceptions.
    ///
    /// - Parameters:
    ///   - facts: the facts that the reader gets.
    ///   - sequence: the SEQUENCE that the reader gets.
    ///   - date: the name of the date if the meeting is one date of a series; otherwise empty.
    ///   - absences: the names of the dates of a series to which the reader is not invited.
    ///   - others: the names of dates that get an event of their own even if nothing differs on
    ///     them.
    ///   - zones: the time zone rules.
    /// - Returns: the event, in UTC if its time zone is not known any more.
    public func calendarEvent(
        telling facts: MeetingFacts, sequence: Int, on date: String = "",
        without absences: Set<String> = [], apart others: Set<String> = [],
        by zones: ZoneDirectory
    ) -> CalendarEvent {
        var event = clockEvent(
            telling: facts, sequence: sequence, on: date, without: absences, apart: others,
            by: zones)
        if facts.time.isOfDays { event.nameDays() }
        if isDateOfDays { event.nameOriginalDay() }
        return event
    }

    /// The event with times of day, except for changed dates of whole days.
    private func clockEvent(
        telling facts: MeetingFacts, sequence: Int, on date: String,
        without absences: Set<String>, apart others: Set<String>, by zones: ZoneDirectory
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
            var change = dated.clockEvent(
                telling: dated.facts, sequence: max(sequence, dated.sequence), on: name,
                without: [], apart: [], by: zones)
            if dated.time.isOfDays { change.nameDays() }
            event.changes.append(change)
        }
        return event
    }

    /// True if a date has the time that its name gives and the place of the series.
    private func isPlain(_ date: SeriesDate, in zone: Zone) -> Bool {
        date.time == self.date(named: date.name, byRule: true, in: zone)?.time
            && date.change?.place == .asAll
    }

    /// The start that the rule gives a date, from the name of the date; `nil` if the name is not
    /// one.
    package static func start(named date: String, in zone: Zone) -> Moment? {
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
