import Agenda
import Ledger
public import Planning
public import Sinks
public import Storage
import Synchronization
public import Timekeeping
public import Wording

/// Renders deliveries as outgoing messages: the only place where facts become text.
///
/// Deliveries of one meeting that are begun together mostly read the same, so their text is cached.
public final class MessageRenderer: Sendable {
    /// The size of the cache; a full cache is emptied.
    static let renderedMax = 256

    /// Everything that a rendered text depends on.
    private struct RenderKey: Hashable {
        let facts: ObjectIdentifier
        let kind: NotificationKind
        let form: TextForm
        let zone: String?
        let language: Language
        let reader: String?
        let isPlanner: Bool
        let body: String?
        let mark: NotificationMark?
        let links: NotificationLinks?
        let outdated: OutdatedAnswer?
        let isOnAgain: Bool
        let showsNames: Bool
        let hidesLink: Bool
        let isEnclosing: Bool
        /// The time until the meeting, in words.
        let distance: String
        /// The start of the next occurrence: in a series it changes after each date.
        let next: Moment
    }

    private struct Written {
        let notification: NotificationText
        let page: String?
        let told: MeetingFacts
        let start: String
        /// Kept, so that no other object gets the same `ObjectIdentifier`.
        let facts: DeliveryFacts
    }

    let templates: TemplateLibrary
    let zones: ZoneDirectory
    let identities: DeliveryIdentities
    /// Builds the links in messages.
    let links: LinkBuilder?
    /// True if calendar invitations list the other guests.
    let showsGuests: Bool
    private let written = Mutex<[RenderKey: Written]>([:])

    /// Renders with these templates and time zone rules; without a link builder, messages have no
    /// links.
    public init(
        templates: TemplateLibrary, zones: ZoneDirectory, identities: DeliveryIdentities,
        links: LinkBuilder? = nil,
        showsGuests: Bool = false
    ) {
        self.showsGuests = showsGuests
        self.templates = templates
        self.zones = zones
        self.identities = identities
        self.links = links
    }

    /// The message for a delivery, with the current facts.
    ///
    /// - Parameters:
    ///   - delivery: the delivery.
    ///   - isEnclosing: whether to add the enclosure, the part that programs read.
    ///   - now: the current time.
    /// - Returns: the message for the sink.
    public func outgoing(
        _ delivery: Delivery, enclosing isEnclosing: Bool = false, now: Moment
    ) -> OutgoingMessage {
        var outgoing = words(of: delivery, enclosing: isEnclosing, now: now)
        let key = delivery.row.key
        if key.notification.receiver.audience != nil { outgoing.audience = delivery.person.name }
        outgoing.turnout = delivery.facts?.turnout
        outgoing.channel = key.channel == SinkKind.mail.name ? "" : key.address
        outgoing.target = delivery.target
        outgoing.closure = delivery.closure
        return outgoing
    }

    private func words(of delivery: Delivery, enclosing isEnclosing: Bool, now: Moment)
        -> OutgoingMessage
    {
        let own = ownLinks(of: delivery, now: now)
        guard let facts = delivery.facts else {
            return outgoing(ofNoMeeting: delivery, own, enclosing: isEnclosing, now: now)
        }
        let written = written(delivery, facts, own, enclosing: isEnclosing, now: now)
        let meeting = facts.meeting
        var outgoing = OutgoingMessage(
            identity: identity(of: delivery), kind: delivery.row.key.notification.kind,
            name: delivery.person.name, address: address(of: delivery), meeting: meeting.id.text,
            title: written.told.title, start: written.start, zone: written.told.time.zone,
            due: delivery.row.due, writtenAt: now, sender: organizer(delivery, facts),
            subject: written.notification.subject, text: written.notification.text)
        outgoing.returnIdentity = returnIdentity(of: delivery)
        outgoing.occurrence = delivery.row.key.notification.occurrence
        outgoing.isOfDays = written.told.time.isOfDays
        if let page = written.page { outgoing.enclosure = enclosure(of: delivery, page, own) }
        return outgoing
    }

    private func identity(of delivery: Delivery) -> String {
        identities.identity(of: delivery.row.name, on: delivery.row.key.channel)
    }

    private func returnIdentity(of delivery: Delivery) -> String {
        guard delivery.row.key.channel == SinkKind.mail.name else { return "" }
        return identities.returnIdentity(of: delivery.row.name)
    }

    /// The receiving address, taken from the delivery's row if it has one.
    private func address(of delivery: Delivery) -> String {
        let key = delivery.row.key
        let isMail = key.channel == SinkKind.mail.name && !key.address.isEmpty
        return isMail ? key.address : delivery.person.address
    }

    /// The message of a delivery without a meeting, whose text was written when it was planned.
    private func outgoing(
        ofNoMeeting delivery: Delivery, _ own: NotificationLinks?, enclosing isEnclosing: Bool,
        now: Moment
    ) -> OutgoingMessage {
        let body = text(ofNoMeeting: delivery)
        let notification = templates.notification(
            rendered: body, stop: own?.stop, for: delivery.person)
        var outgoing = OutgoingMessage(
            identity: identity(of: delivery), kind: delivery.row.key.notification.kind,
            name: readerName(ofNoMeeting: delivery), address: address(of: delivery), meeting: "",
            title: "",
            start: "", zone: "", due: delivery.row.due, writtenAt: now, sender: nil,
            subject: notification.subject, text: notification.text)
        outgoing.returnIdentity = returnIdentity(of: delivery)
        // A link that signs in is plain text, which mail programs make a link of.
        guard isEnclosing, outgoing.kind != .signIn else { return outgoing }
        let page = templates.page(
            of: NotificationText(rendered: body), stop: own?.stop,
            for: delivery.person)
        outgoing.enclosure = enclosure(of: delivery, page, own)
        return outgoing
    }

    /// The name of the reader. A mail to an address that is not known to be theirs does not name
    /// them.
    private func readerName(ofNoMeeting delivery: Delivery) -> String {
        let isToAnybody = (delivery.body ?? "").contains(SignInFacts.addressMark)
        return isToAnybody ? "" : delivery.person.name
    }

    /// The stored text, in which a link that signs in, or confirms an address, is only marked: the
    /// store never knows it.
    private func text(ofNoMeeting delivery: Delivery) -> String {
        let body = delivery.body ?? ""
        guard let url = links?.signInURL(of: delivery),
            let address = links?.addressURL(of: delivery)
        else { return body }
        return body.replacing(SignInFacts.linkMark, with: url)
            .replacing(SignInFacts.addressMark, with: address)
    }

    private func written(
        _ delivery: Delivery, _ facts: DeliveryFacts, _ own: NotificationLinks?,
        enclosing isEnclosing: Bool, now: Moment
    ) -> Written {
        let key = delivery.row.key.notification
        // Not cached if the text depends on the facts this receiver was last notified of; for an
        // audience the text is needed only once.
        guard delivery.before == nil, own?.isPersonal != true, key.receiver.audience == nil,
            delivery.absences.isEmpty
        else {
            return write(delivery, facts, own, enclosing: isEnclosing, now: now)
        }
        let next = nextStart(of: facts, now: now)
        let renderKey = RenderKey(
            facts: ObjectIdentifier(facts), kind: key.kind, form: form(of: delivery),
            zone: delivery.person.zone, language: templates.language(of: delivery.person),
            reader: templates.namesReader(key.kind) ? delivery.person.name : nil,
            isPlanner: delivery.person.id == facts.organizer.id, body: delivery.body,
            mark: key.kind.tellsOfGuest || key.kind.tellsDecision ? key.mark : nil, links: own,
            outdated: delivery.standing.outdated, isOnAgain: delivery.isOnAgain,
            showsNames: delivery.showsNames, hidesLink: delivery.isForWaiting,
            isEnclosing: isEnclosing,
            distance: TimeWords.distance(from: now, to: next), next: next)
        if let known = written.withLock({ $0[renderKey] }) { return known }
        let new = write(delivery, facts, own, enclosing: isEnclosing, now: now)
        written.withLock { written in
            if written.count >= Self.renderedMax { written = [:] }
            written[renderKey] = new
        }
        return new
    }

    /// The links for the reader: only a message to a single person has personal links. After the
    /// end of the meeting, there is nothing to answer.
    private func ownLinks(of delivery: Delivery, now: Moment) -> NotificationLinks? {
        let key = delivery.row.key
        guard SinkTable.kindsWithEnclosures.contains(key.channel),
            key.notification.receiver.audience == nil
        else { return nil }
        let own = links?.links(of: delivery)
        guard key.notification.kind == .message, let meeting = delivery.facts?.meeting,
            meeting.endsAt <= now
        else { return own }
        return own?.stop.map { NotificationLinks(stop: $0) }
    }

    /// The organizer, without the address when the reader is an audience.
    private func organizer(_ delivery: Delivery, _ facts: DeliveryFacts) -> Person {
        delivery.row.key.notification.receiver.person == nil
            ? facts.organizer.withoutAddress : facts.organizer
    }

    /// The facts that a delivery's text is made of.
    private func noticed(
        _ delivery: Delivery, _ facts: DeliveryFacts, _ own: NotificationLinks?, now: Moment
    ) -> NotificationFacts {
        let isPrivate = delivery.row.key.notification.receiver.audience == nil
        var noticed = NotificationFacts(
            kind: delivery.row.key.notification.kind, meeting: facts.meeting,
            organizer: organizer(delivery, facts),
            reader: delivery.person, turnout: facts.turnout, before: delivery.before,
            body: delivery.body, now: now)
        noticed.isDate = !delivery.row.key.notification.occurrence.isEmpty
        if noticed.kind == .proposal {
            noticed.proposal = delivery.row.key.notification.mark.answer?.number
        }
        noticed.answered = isPrivate ? delivery.answered : delivery.answered?.withoutAddress
        if let answered = noticed.answered, !isPrivate {
            noticed.body = AnswerWords.line(
                answered, in: templates.language(of: delivery.person))
        }
        noticed.links = own
        noticed.going = delivery.showsNames ? facts.going : []
        noticed.hidesLink = delivery.isForWaiting
        let mark = delivery.row.key.notification.mark
        if noticed.kind == .admission { noticed.admission = mark.admission }
        noticed.decision =
            noticed.kind == .decision
            ? mark.decision : facts.meeting.seating?.quorum?.decision?.outcome
        noticed.absences = delivery.absences
        noticed.continuesAt = facts.continuesAt
        noticed.isOnAgain = delivery.isOnAgain
        noticed.outdated = isPrivate ? delivery.standing.outdated : nil
        return noticed
    }

    private func write(
        _ delivery: Delivery, _ facts: DeliveryFacts, _ own: NotificationLinks?,
        enclosing isEnclosing: Bool, now: Moment
    ) -> Written {
        let noticed = noticed(delivery, facts, own, now: now)
        let words = templates.notification(noticed, as: form(of: delivery))
        let notification = NotificationText(
            subject: words.subject, text: text(of: words, for: delivery, facts))
        return Written(
            notification: notification,
            page: isEnclosing ? templates.page(of: notification, noticed) : nil,
            told: noticed.told, start: start(of: noticed), facts: facts)
    }

    /// The text, followed by a message of the organizer that had to wait and is now sent along with
    /// other news.
    private func text(
        of notification: NotificationText, for delivery: Delivery, _ facts: DeliveryFacts
    ) -> String {
        switch delivery.row.key.notification.kind {
        case .message, .nudge, .answer, .proposal, .refusal, .join, .leave, .request, .digest,
            .alarm, .signIn, .follow:
            return notification.text
        case .invitation, .change, .cancellation, .reminder, .promotion, .admission, .decision,
            .link:
            guard let body = delivery.body else { return notification.text }
            // The organizer gets the answers of others appended.
            guard delivery.person.id != facts.organizer.id else {
                return "\(notification.text)\n\n\(body)"
            }
            let writes = templates.language(of: delivery.person).writes(facts.organizer.name)
            return "\(notification.text)\n\n\(writes)\n\n\(body)"
        }
    }

    private func form(of delivery: Delivery) -> TextForm {
        SinkTable.chatKinds.contains(delivery.row.key.channel) ? .chat : .text
    }

    private func nextStart(of facts: DeliveryFacts, now: Moment) -> Moment {
        let meeting = facts.meeting
        guard meeting.series != nil, let zone = try? zones.zone(meeting.time.zone) else {
            return meeting.time.startsAt
        }
        return (meeting.nextTime(after: now, in: zone) ?? meeting.time).startsAt
    }

    private func start(of noticed: NotificationFacts) -> String {
        guard let zone = try? zones.zone(noticed.told.time.zone) else {
            return noticed.told.time.startsAt.rfc3339(offsetSeconds: 0)
        }
        let time = noticed.meeting.series == nil ? noticed.told.time : noticed.time(in: zone)
        let start = time.byToday(of: zone).startsAt
        return start.rfc3339(offsetSeconds: zone.offsetSeconds(at: start))
    }
}
