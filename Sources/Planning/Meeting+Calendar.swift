public import Agenda
public import Interchange
public import Timekeeping

extension Meeting {
    /// The meeting as calendars know it.
    ///
    /// - Parameters:
    ///   - facts: what its reader is to know of it.
    ///   - sequence: how many changes they have to heed.
    ///   - zones: the zone rules.
    /// - Returns: the meeting, in UTC where its zone is not known any more.
    public func calendarEvent(
        telling facts: MeetingFacts, sequence: Int, by zones: ZoneDirectory
    ) -> CalendarEvent {
        let zone = (try? zones.zone(facts.time.zone)) ?? .utc
        let time = facts.time.byToday(of: zone)
        var event = CalendarEvent(
            uid: uid, sequence: sequence, title: facts.title, start: time.startsAt,
            end: time.endsAt, zone: zone)
        event.details = [note, link].filter { !$0.isEmpty }.joined(separator: "\n\n")
        event.link = link
        event.location = place.map(CalendarEvent.Location.init)
        return event
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
