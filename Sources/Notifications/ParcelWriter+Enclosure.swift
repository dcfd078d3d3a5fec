import Agenda
import Interchange
import Ledger
public import Sinks
public import Storage
import Timekeeping
import Wording

/// What goes along for programs.
extension ParcelWriter {
    /// The enclosure of a letter whose person stands so with its meeting, beside its parcel.
    public func enclosure(
        of letter: Letter, _ standing: LetterStanding, beside parcel: Parcel
    ) -> Enclosure {
        Enclosure(
            root: standing.root.map { Channel.identity(of: $0, on: letter.row.key.channel) },
            entry: entry(of: letter, standing),
            page: templates.page(
                of: Notice(subject: parcel.subject, text: parcel.text),
                letter.facts.map { noticed(letter, $0, now: parcel.writtenAt) }))
    }

    private func entry(of letter: Letter, _ standing: LetterStanding) -> Enclosure.Entry? {
        guard let facts = letter.facts, let method = letter.row.key.notification.kind.method else {
            return nil
        }
        let isOff = method == .cancel && facts.meeting.status == .cancelled
        return Enclosure.Entry(
            method: method,
            event: event(of: letter, facts, isUninvited: method == .cancel && !isOff),
            isOff: isOff, answer: standing.answer.inCalendars)
    }

    private func event(
        of letter: Letter, _ facts: LetterFacts, isUninvited: Bool
    ) -> CalendarEvent {
        let meeting = facts.meeting
        // What is called off is what its receiver knows of.
        let known = letter.row.key.notification.kind == .cancellation ? letter.before : nil
        let told = known ?? meeting.facts
        let zone = (try? zones.zone(told.time.zone)) ?? .utc
        let time = told.time.byToday(of: zone)
        var event = CalendarEvent(
            uid: meeting.uid,
            // Taken off and asked again, the receiver hears of two changes that others do not.
            sequence: meeting.sequence + 2 * letter.row.key.notification.round
                + (isUninvited ? 1 : 0),
            title: told.title, start: time.startsAt, end: time.endsAt, zone: zone)
        event.details = [meeting.note, meeting.link].filter { !$0.isEmpty }
            .joined(separator: "\n\n")
        event.link = meeting.link
        event.location = meeting.place.map(CalendarEvent.Location.init)
        return event
    }
}

extension NotificationKind {
    /// What a calendar is to do when its owner is told of this.
    fileprivate var method: CalendarInvitation.Method? {
        switch self {
        case .invitation, .change: .request
        case .cancellation: .cancel
        case .reminder, .nudge, .message, .digest, .alarm: nil
        }
    }
}

extension Answer {
    fileprivate var inCalendars: CalendarInvitation.Answer {
        switch self {
        case .going: .accepted
        case .maybe: .tentative
        case .declined: .declined
        case .invited, .waiting: .none
        }
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
