import Agenda
import Interchange
import Ledger
import Planning
import Sinks
import Storage
import Timekeeping
import Wording

/// Building the enclosure: the part of a message that programs read.
extension MessageRenderer {
    /// The enclosure of a delivery with this HTML page and these links.
    func enclosure(of delivery: Delivery, _ page: String, _ own: NotificationLinks?) -> Enclosure {
        var enclosure = Enclosure(
            root: delivery.standing.root.map {
                identities.identity(of: $0, on: delivery.row.key.channel)
            },
            entry: entry(of: delivery, delivery.standing), page: page)
        enclosure.unsubscribing = own?.stop.map {
            Enclosure.Unsubscribing(link: $0, isOneClick: links?.isSecure ?? false)
        }
        return enclosure
    }

    private func entry(of delivery: Delivery, _ standing: RecipientStatus) -> Enclosure.Entry? {
        // An audience has no calendar of its own, and no single reader can answer for all.
        let key = delivery.row.key.notification
        guard let facts = delivery.facts, let method = key.kind.method, key.receiver.person != nil
        else { return nil }
        let isOff = method == .cancel && facts.meeting.status == .cancelled
        var entry = Enclosure.Entry(
            method: method,
            event: event(of: delivery, facts, isUninvited: method == .cancel && !isOff),
            isOff: isOff, answer: standing.answer.inCalendars)
        if let zone = try? zones.zone(facts.meeting.time.zone) {
            for (name, answer) in standing.dates {
                guard let start = Meeting.start(named: name, in: zone) else { continue }
                entry.dateAnswers[start] = answer.inCalendars
            }
        }
        entry.answersTo = links?.answerAddress(of: delivery)
        entry.others = standing.others.compactMap { other in
            // Skips a guest whose address is not valid for mail.
            (try? Mailbox(other.address, name: other.name)).map {
                CalendarInvitation.Guest($0, answer: other.answer.inCalendars)
            }
        }
        return entry
    }

    private func event(
        of delivery: Delivery, _ facts: DeliveryFacts, isUninvited: Bool
    ) -> CalendarEvent {
        var meeting = facts.meeting
        if delivery.isForWaiting { meeting.link = "" }
        // A cancellation describes the meeting as the receiver knows it.
        let known = delivery.row.key.notification.kind == .cancellation ? delivery.before : nil
        return meeting.calendarEvent(
            telling: known ?? meeting.facts,
            // For this receiver, a removal and a new invitation are two changes that others do
            // not get.
            sequence: meeting.sequence + 2 * delivery.rounds
                + (isUninvited ? 1 : 0),
            on: delivery.row.key.notification.occurrence, without: delivery.absences, by: zones)
    }
}

extension NotificationKind {
    /// The iCalendar method for a notification of this kind; `nil` if calendars do nothing with it.
    fileprivate var method: CalendarInvitation.Method? {
        switch self {
        case .invitation, .change: .request
        case .cancellation: .cancel
        case .refusal: .declineCounter
        case .reminder, .nudge, .message, .answer, .proposal, .join, .leave, .request, .promotion,
            .admission, .decision, .link, .digest, .alarm, .signIn, .follow:
            nil
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
