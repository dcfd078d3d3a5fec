public import Agenda
import Interchange
public import Ledger
public import Planning
import Storage
import Timekeeping

extension Planner {
    /// Exports the actor's meetings as a calendar file, with the imported calendar objects that did
    /// not become meetings.
    ///
    /// - Parameter rows: the number of rows to read per query.
    /// - Returns: the file: a calendar object in UTF-8 with folded lines. Guests of meetings that
    ///   were created here are not named; an imported event keeps the attendees of its file.
    /// - Throws: ``StoreError``.
    public func exportCalendar(rowsAtOnce rows: Int = 500) async throws -> [UInt8] {
        var entries: [CalendarFile.Entry] = []
        var last = (startsAt: Moment.earliest, id: "")
        while true {
            let page = try await store.calendarMeetings(of: actor.id, after: last, limit: rows)
            for found in page {
                entries += try calendarEntries(of: found.bundle, importedFrom: found.text)
            }
            guard let end = page.last?.bundle.meeting, page.count == rows else { break }
            last = (end.time.startsAt, end.id.text)
        }
        return CalendarFile(
            try await entries + keptEntries(rowsAtOnce: rows), by: surroundings.zones
        ).octets(at: now)
    }

    /// Exports one meeting as a calendar file.
    ///
    /// - Parameter id: the meeting.
    /// - Returns: a calendar file like that of ``exportCalendar()``, with this meeting only.
    /// - Throws: ``Refusal`` with `unknown_meeting`.
    public func exportMeeting(_ id: MeetingID) async throws -> [UInt8] {
        let text = try await store.calendarText(of: id, readBy: actor.id)
        return CalendarFile(
            try calendarEntries(of: try await bundle(id), importedFrom: text),
            by: surroundings.zones
        ).octets(at: now)
    }

    private func keptEntries(rowsAtOnce rows: Int) async throws -> [CalendarFile.Entry] {
        var entries: [CalendarFile.Entry] = []
        var last = CalendarObjectName(kind: "", uid: "")
        while true {
            let page = try await store.keptCalendarObjects(
                of: actor.id, after: last, limit: rows)
            entries += page.compactMap {
                CalendarObject(text: $0.text).map {
                    .object($0.inEffect(in: zone, by: surroundings.zones))
                }
            }
            guard let end = page.last, page.count == rows else { return entries }
            last = end.name
        }
    }

    /// A meeting as entries of a calendar file: several for a person who is invited to single dates
    /// only. An imported meeting keeps all properties of its original object.
    private func calendarEntries(
        of bundle: MeetingBundle, importedFrom text: String?
    ) throws -> [CalendarFile.Entry] {
        let seen = seenDates(of: bundle)
        guard let names = seen.single else {
            return [
                try calendarEntry(of: bundle.meeting, importedFrom: text, without: seen.absences)
            ]
        }
        let own = try zone(named: bundle.meeting.time.zone)
        return names.sorted().compactMap { bundle.meeting.date(named: $0, in: own) }.map { date in
            .event(personalEvent(of: bundle.meeting.on(date), on: date.name))
        }
    }

    private func calendarEntry(
        of meeting: Meeting, importedFrom text: String?, without absences: Set<String>
    ) throws -> CalendarFile.Entry {
        let event = personalEvent(of: meeting, without: absences)
        guard
            let object = text.flatMap(CalendarObject.init(text:))?
                .inEffect(in: zone, by: surroundings.zones)
        else { return .event(event) }
        let read = CalendarMeetings(
            own: try zone(named: meeting.time.zone), directory: surroundings.zones,
            organizer: meeting.organizer, address: actor.address)
        guard
            let before = try? read.meeting(
                of: object, id: meeting.id, uid: meeting.uid, now: now)
        else {
            return .event(event)
        }
        return .object(
            object.rewritten(
                as: event, from: personalEvent(of: before), in: zone, at: now,
                by: surroundings.zones))
    }

    /// The event of a meeting in its organizer's own calendar, with alarms for the reminders.
    private func personalEvent(
        of meeting: Meeting, on date: String = "", without absences: Set<String> = []
    ) -> CalendarEvent {
        var event = meeting.calendarEvent(
            telling: meeting.facts, sequence: meeting.sequence, on: date, without: absences,
            by: surroundings.zones)
        event.remind(meeting.time.reminderSpans(meeting.reminders))
        return event
    }
}

extension Meeting {
    /// True if this meeting and another have the same content in calendars.
    func isSameInCalendars(as other: Meeting) -> Bool {
        title == other.title && note == other.note && link == other.link && isAtPlace(of: other)
            && time == other.time && series?.dates == other.series?.dates
            && status == other.status
    }

    private func isAtPlace(of other: Meeting) -> Bool {
        place?.text == other.place?.text && place?.latitude == other.place?.latitude
            && place?.longitude == other.place?.longitude
    }
}

extension Series {
    /// The series without revision and sequence numbers, for a comparison.
    fileprivate var dates: Series {
        var series = self
        series.changes = changes.mapValues { change in
            var change = change
            change.revision = 1
            change.sequence = 0
            return change
        }
        series.plannedUntil = endsAt
        series.revision = 1
        series.sequence = 0
        series.datesRevision = 1
        return series
    }
}
