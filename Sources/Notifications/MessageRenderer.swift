import Agenda
import Ledger
public import Planning
public import Sinks
public import Storage
import Synchronization
public import Timekeeping
public import Wording

/// Writes letters out as parcels: the one place where facts become words.
///
/// Letters of one meeting that are begun together mostly read the same: those are written once.
public final class MessageRenderer: Sendable {
    /// How many notices are remembered; then all are forgotten.
    static let noticesMax = 256

    /// All by which what is written can differ from what else was.
    private struct RenderKey: Hashable {
        let facts: ObjectIdentifier
        let kind: NotificationKind
        let form: TextForm
        let zone: String?
        let language: Language
        let reader: String?
        let isPlanner: Bool
        let body: String?
        let mark: String?
        let links: NotificationLinks?
        let isEnclosing: Bool
        /// How far off the meeting is, in words.
        let distance: String
        /// When it takes place next: of a series that is another time after each date.
        let next: Moment
    }

    private struct Written {
        let notice: NotificationText
        let page: String?
        let told: MeetingFacts
        let start: String
        /// As long as they are kept, no others have their identity.
        let facts: DeliveryFacts
    }

    let templates: TemplateLibrary
    let zones: ZoneDirectory
    /// Makes the links that letters bring.
    let links: LinkBuilder?
    /// Whether calendar programs are told who else is asked.
    let showsGuests: Bool
    private let written = Mutex<[RenderKey: Written]>([:])

    /// Writes with these templates and zone rules; without a book of links, letters bring none.
    public init(
        templates: TemplateLibrary, zones: ZoneDirectory, links: LinkBuilder? = nil,
        showsGuests: Bool = false
    ) {
        self.showsGuests = showsGuests
        self.templates = templates
        self.zones = zones
        self.links = links
    }

    /// The parcel of a letter, as it reads now.
    ///
    /// - Parameters:
    ///   - letter: what is delivered.
    ///   - isEnclosing: whether what programs read goes along.
    ///   - now: the clock.
    /// - Returns: what its sink delivers.
    public func parcel(
        _ letter: Delivery, enclosing isEnclosing: Bool = false, now: Moment
    ) -> OutgoingMessage {
        var parcel = words(of: letter, enclosing: isEnclosing, now: now)
        let key = letter.row.key
        if key.notification.receiver.audience != nil { parcel.audience = letter.person.name }
        parcel.turnout = letter.facts?.turnout
        parcel.channel = key.channel == Channel.mail.name ? "" : key.address
        parcel.target = letter.target
        parcel.closure = letter.closure
        return parcel
    }

    private func words(of letter: Delivery, enclosing isEnclosing: Bool, now: Moment) -> OutgoingMessage {
        let own = ownLinks(of: letter)
        guard let facts = letter.facts else {
            return parcel(ofNoMeeting: letter, own, enclosing: isEnclosing, now: now)
        }
        let written = written(letter, facts, own, enclosing: isEnclosing, now: now)
        let meeting = facts.meeting
        var parcel = OutgoingMessage(
            identity: letter.row.identity, kind: letter.row.key.notification.kind,
            name: letter.person.name, address: address(of: letter), meeting: meeting.id.text,
            title: written.told.title, start: written.start, zone: written.told.time.zone,
            due: letter.row.due, writtenAt: now, sender: organizer(letter, facts),
            subject: written.notice.subject, text: written.notice.text)
        parcel.occurrence = letter.row.key.notification.occurrence
        if let page = written.page { parcel.enclosure = enclosure(of: letter, page, own) }
        return parcel
    }

    /// Where it goes, as its row says.
    private func address(of letter: Delivery) -> String {
        let key = letter.row.key
        let isMail = key.channel == Channel.mail.name && !key.address.isEmpty
        return isMail ? key.address : letter.person.address
    }

    /// What is about no meeting was put into words when it was planned.
    private func parcel(
        ofNoMeeting letter: Delivery, _ own: NotificationLinks?, enclosing isEnclosing: Bool, now: Moment
    ) -> OutgoingMessage {
        let notice = templates.notice(
            rendered: letter.body ?? "", stop: own?.stop, for: letter.person)
        var parcel = OutgoingMessage(
            identity: letter.row.identity, kind: letter.row.key.notification.kind,
            name: letter.person.name, address: address(of: letter), meeting: "", title: "",
            start: "", zone: "", due: letter.row.due, writtenAt: now, sender: nil,
            subject: notice.subject, text: notice.text)
        guard isEnclosing else { return parcel }
        let page = templates.page(
            of: NotificationText(rendered: letter.body ?? ""), stop: own?.stop, for: letter.person)
        parcel.enclosure = enclosure(of: letter, page, own)
        return parcel
    }

    private func written(
        _ letter: Delivery, _ facts: DeliveryFacts, _ own: NotificationLinks?,
        enclosing isEnclosing: Bool, now: Moment
    ) -> Written {
        let key = letter.row.key.notification
        // What was said before is said to each by what they were told last; an audience is told
        // once.
        guard letter.before == nil, own?.isPersonal != true, key.receiver.audience == nil,
            letter.absences.isEmpty
        else {
            return write(letter, facts, own, enclosing: isEnclosing, now: now)
        }
        let next = nextStart(of: facts, now: now)
        let noticeKey = RenderKey(
            facts: ObjectIdentifier(facts), kind: key.kind, form: form(of: letter),
            zone: letter.person.zone, language: templates.language(of: letter.person),
            reader: templates.namesReader(key.kind) ? letter.person.name : nil,
            isPlanner: letter.person.id == facts.organizer.id, body: letter.body,
            mark: key.kind.tellsOfGuest ? key.mark : nil, links: own, isEnclosing: isEnclosing,
            distance: TimeWords.distance(from: now, to: next), next: next)
        if let known = written.withLock({ $0[noticeKey] }) { return known }
        let new = write(letter, facts, own, enclosing: isEnclosing, now: now)
        written.withLock { written in
            if written.count >= Self.noticesMax { written = [:] }
            written[noticeKey] = new
        }
        return new
    }

    /// What its reader may follow: only who reads it alone has links of their own.
    private func ownLinks(of letter: Delivery) -> NotificationLinks? {
        SinkTable.enclosingChannels.contains(letter.row.key.channel)
            && letter.row.key.notification.receiver.audience == nil
            ? links?.links(of: letter) : nil
    }

    /// Who plans it, as its readers may know them.
    private func organizer(_ letter: Delivery, _ facts: DeliveryFacts) -> Person {
        letter.row.key.notification.receiver.person == nil
            ? facts.organizer.withoutAddress : facts.organizer
    }

    /// What a letter says.
    private func noticed(
        _ letter: Delivery, _ facts: DeliveryFacts, _ own: NotificationLinks?, now: Moment
    ) -> NotificationFacts {
        let isPrivate = letter.row.key.notification.receiver.audience == nil
        var noticed = NotificationFacts(
            kind: letter.row.key.notification.kind, meeting: facts.meeting,
            organizer: organizer(letter, facts),
            reader: letter.person, turnout: facts.turnout, before: letter.before,
            body: letter.body, now: now)
        noticed.isDate = !letter.row.key.notification.occurrence.isEmpty
        if noticed.kind == .proposal {
            noticed.proposal = AnswerMark(letter.row.key.notification.mark)?.number
        }
        noticed.answered = isPrivate ? letter.answered : letter.answered?.withoutAddress
        if let answered = noticed.answered, !isPrivate {
            noticed.body = AnswerWords.line(
                answered, in: templates.language(of: letter.person))
        }
        noticed.links = own
        noticed.going = facts.going
        noticed.absences = letter.absences
        return noticed
    }

    private func write(
        _ letter: Delivery, _ facts: DeliveryFacts, _ own: NotificationLinks?,
        enclosing isEnclosing: Bool, now: Moment
    ) -> Written {
        let noticed = noticed(letter, facts, own, now: now)
        let words = templates.notice(noticed, as: form(of: letter))
        let notice = NotificationText(subject: words.subject, text: text(of: words, for: letter, facts))
        return Written(
            notice: notice, page: isEnclosing ? templates.page(of: notice, noticed) : nil,
            told: noticed.told, start: start(of: noticed), facts: facts)
    }

    /// What somebody wrote goes along where it had to wait, and other news goes in its place.
    private func text(
        of notice: NotificationText, for letter: Delivery, _ facts: DeliveryFacts
    ) -> String {
        switch letter.row.key.notification.kind {
        case .message, .nudge, .answer, .proposal, .refusal, .digest, .alarm:
            return notice.text
        case .invitation, .change, .cancellation, .reminder, .link:
            guard let body = letter.body else { return notice.text }
            // To who plans it goes along what others answered.
            guard letter.person.id != facts.organizer.id else { return "\(notice.text)\n\n\(body)" }
            let writes = templates.language(of: letter.person).writes(facts.organizer.name)
            return "\(notice.text)\n\n\(writes)\n\n\(body)"
        }
    }

    private func form(of letter: Delivery) -> TextForm {
        SinkTable.chatChannels.contains(letter.row.key.channel) ? .chat : .text
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
