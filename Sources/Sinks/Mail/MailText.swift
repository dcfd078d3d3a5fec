import Agenda
import Interchange
import Timekeeping

/// Creates mails from deliveries.
enum MailText {
    /// The mail of a delivery.
    ///
    /// Answers go to the organizer of the meeting, whose name the mail shows. The sender is the
    /// address from which the server lets this installation send.
    ///
    /// - Throws: an error if the receiver's address is invalid.
    static func message(of outgoing: OutgoingMessage, from: Mailbox) throws(Mailbox.Fault)
        -> MailMessage
    {
        let to = try Mailbox(
            outgoing.address, name: outgoing.name == outgoing.address ? "" : outgoing.name)
        let isOwn = outgoing.sender.map { Self.isOwn($0, from) } ?? false
        let planner = isOwn ? nil : planner(of: outgoing)
        var message = MailMessage(
            from: Mailbox(named: senderName(of: outgoing, isOwn: isOwn), at: from), to: to,
            subject: outgoing.subject, date: outgoing.writtenAt.mailText,
            messageID: outgoing.identity,
            body: body(of: outgoing, planner, from: from, to: to))
        // A server that does not support such addresses would refuse the mail for every receiver.
        if let planner, !planner.needsUTF8 || to.needsUTF8 { message.replyTo = planner }
        if !outgoing.returnIdentity.isEmpty { message.returnIdentity = outgoing.returnIdentity }
        message.unsubscribe = outgoing.enclosure?.unsubscribing?.link
        message.isUnsubscribedByOneClick = outgoing.enclosure?.unsubscribing?.isOneClick ?? false
        message.references = [outgoing.enclosure?.root].compactMap(\.self)
        return message
    }

    /// The body: the text for people, and the calendar object twice. Mail programs offer to answer
    /// the part inside the mail; other programs look for the attached file.
    private static func body(
        of outgoing: OutgoingMessage, _ planner: Mailbox?, from: Mailbox, to: Mailbox
    ) -> MailPart {
        var forms = [MailPart.text(outgoing.text, subtype: "plain")]
        if let page = outgoing.enclosure?.page { forms.append(.text(page, subtype: "html")) }
        guard let entry = outgoing.enclosure?.entry else {
            return forms.count == 1 ? forms[0] : .alternative(forms)
        }
        let invitation = invitation(entry, of: outgoing, planner, from: from, to: to)
        let object = Base64Lines(invitation.octets(at: outgoing.writtenAt))
        return .mixed([
            .alternative(forms + [.calendar(object, method: invitation.method.rawValue)]),
            .attachment(object, type: "application/ics", file: "invite.ics"),
        ])
    }

    /// The invitation for a calendar. Answers go to an address of the receiver's own, or to the
    /// organizer if they have an address. The sending address is named as well, or programs would
    /// take the invitation for a forgery.
    private static func invitation(
        _ entry: Enclosure.Entry, of outgoing: OutgoingMessage, _ planner: Mailbox?, from: Mailbox,
        to: Mailbox
    ) -> CalendarInvitation {
        let name = outgoing.sender?.name ?? ""
        let organizer = entry.answersTo.flatMap { try? Mailbox($0, name: name) } ?? planner
        var invitation = CalendarInvitation(
            method: entry.method, event: entry.event,
            organizer: organizer ?? Mailbox(named: name, at: from), attendee: to)
        invitation.sender = organizer == nil ? nil : from
        invitation.isOff = entry.isOff
        invitation.answer = entry.answer
        invitation.dateAnswers = entry.dateAnswers
        invitation.others = entry.others
        return invitation
    }

    private static func senderName(of outgoing: OutgoingMessage, isOwn: Bool) -> String {
        guard let sender = outgoing.sender else { return "letsmeet" }
        return isOwn ? sender.name : "\(sender.name) (letsmeet)"
    }

    /// The organizer's mailbox.
    private static func planner(of outgoing: OutgoingMessage) -> Mailbox? {
        guard let sender = outgoing.sender, !sender.address.isEmpty else { return nil }
        // An invalid address of the organizer is no reason to lose the mail.
        return try? Mailbox(sender.address, name: sender.name)
    }

    /// True if the organizer is also the sender.
    private static func isOwn(_ sender: Person, _ from: Mailbox) -> Bool {
        sender.address == from.address
            || (try? Mailbox(sender.address).address.lowercased()) == from.address.lowercased()
    }
}

extension Moment {
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The time in a mail header (RFC 5322, 3.3): "Tue, 12 Jan 2027 17:00:00 +0000".
    var mailText: String {
        let wall = WallTime(secondsSince1970: seconds)
        let (date, time) = (wall.date, wall.time)
        return "\(Self.weekdays[date.weekday.rawValue - 1]), \(date.day) "
            + "\(Self.months[date.month - 1]) \(date.year) \(time) +0000"
    }
}
