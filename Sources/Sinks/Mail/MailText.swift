import Agenda
import Interchange
import Timekeeping

/// Deliveries as mails.
enum MailText {
    /// The mail of a delivery.
    ///
    /// Answers go to who plans the meeting, and their name stands on it. It comes from the address
    /// that the server lets this installation send from.
    ///
    /// - Throws: what is wrong with the receiver's address.
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
        // A server that knows no such addresses would refuse the mail to everybody.
        if let planner, !planner.needsUTF8 || to.needsUTF8 { message.replyTo = planner }
        message.unsubscribe = outgoing.enclosure?.unsubscribing?.link
        message.isUnsubscribedByOneClick = outgoing.enclosure?.unsubscribing?.isOneClick ?? false
        message.references = [outgoing.enclosure?.root].compactMap(\.self)
        return message
    }

    /// What people read, and for their calendar the same object twice: in the mail, where programs
    /// offer to answer it, and as a file for those that look for one.
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

    /// Answers go to an address of the receiver's own, or to who plans the meeting, where they have
    /// one; who sends it for them is named, or programs would take it for a forgery.
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
        invitation.others = entry.others
        return invitation
    }

    private static func senderName(of outgoing: OutgoingMessage, isOwn: Bool) -> String {
        guard let sender = outgoing.sender else { return "letsmeet" }
        return isOwn ? sender.name : "\(sender.name) (letsmeet)"
    }

    /// Who plans it.
    private static func planner(of outgoing: OutgoingMessage) -> Mailbox? {
        guard let sender = outgoing.sender, !sender.address.isEmpty else { return nil }
        // An address that nobody can write to is no reason to lose the mail.
        return try? Mailbox(sender.address, name: sender.name)
    }

    /// Whether who plans it is who sends it.
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

    /// The moment as a mail's header has it (RFC 5322, 3.3): "Tue, 12 Jan 2027 17:00:00 +0000".
    var mailText: String {
        let wall = WallTime(secondsSince1970: seconds)
        let (date, time) = (wall.date, wall.time)
        return "\(Self.weekdays[date.weekday.rawValue - 1]), \(date.day) "
            + "\(Self.months[date.month - 1]) \(date.year) \(time) +0000"
    }
}
