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
public final class ParcelWriter: Sendable {
    /// How many notices are remembered; then all are forgotten.
    static let noticesMax = 256

    /// All by which a notice can differ from another one.
    private struct NoticeKey: Hashable {
        let facts: ObjectIdentifier
        let kind: NotificationKind
        let zone: String?
        let reader: String?
        let body: String?
        let mark: String?
        let audience: String?
        /// How far off the meeting is, in words.
        let distance: String
    }

    private struct Written {
        let notice: Notice
        let told: MeetingFacts
        let start: String
        /// As long as they are kept, no others have their identity.
        let facts: LetterFacts
    }

    let templates: TemplateLibrary
    let zones: ZoneDirectory
    /// Makes the links that letters bring.
    let links: LinkBook?
    private let written = Mutex<[NoticeKey: Written]>([:])

    /// Writes with these templates and zone rules; without a book of links, letters bring none.
    public init(templates: TemplateLibrary, zones: ZoneDirectory, links: LinkBook? = nil) {
        self.templates = templates
        self.zones = zones
        self.links = links
    }

    /// The parcel of a letter, as it reads now.
    public func parcel(_ letter: Letter, now: Moment) -> Parcel {
        var parcel = words(of: letter, now: now)
        let key = letter.row.key
        if key.notification.receiver.audience != nil { parcel.audience = letter.person.name }
        parcel.turnout = letter.facts?.turnout
        parcel.channel = key.channel == Channel.mail.name ? "" : key.address
        parcel.target = letter.target
        parcel.closure = letter.closure
        return parcel
    }

    private func words(of letter: Letter, now: Moment) -> Parcel {
        guard let facts = letter.facts else { return parcel(ofNoMeeting: letter, now: now) }
        let written = written(letter, facts, now: now)
        let meeting = facts.meeting
        return Parcel(
            identity: letter.row.identity, kind: letter.row.key.notification.kind,
            name: letter.person.name, address: address(of: letter), meeting: meeting.id.text,
            title: written.told.title, start: written.start, zone: written.told.time.zone,
            due: letter.row.due, writtenAt: now, sender: organizer(letter, facts),
            subject: written.notice.subject, text: written.notice.text)
    }

    /// Where it goes, as its row says.
    private func address(of letter: Letter) -> String {
        let key = letter.row.key
        let isMail = key.channel == Channel.mail.name && !key.address.isEmpty
        return isMail ? key.address : letter.person.address
    }

    /// What is about no meeting was put into words when it was planned.
    private func parcel(ofNoMeeting letter: Letter, now: Moment) -> Parcel {
        let notice = templates.notice(
            rendered: letter.body ?? "", stop: links?.links(of: letter)?.stop)
        return Parcel(
            identity: letter.row.identity, kind: letter.row.key.notification.kind,
            name: letter.person.name, address: address(of: letter), meeting: "", title: "",
            start: "", zone: "", due: letter.row.due, writtenAt: now, sender: nil,
            subject: notice.subject, text: notice.text)
    }

    private func written(_ letter: Letter, _ facts: LetterFacts, now: Moment) -> Written {
        // What was said before is said to each by what they were told last, and each has links of
        // their own.
        guard letter.before == nil, !bringsLinks(letter) else {
            return write(letter, facts, now: now)
        }
        let kind = letter.row.key.notification.kind
        let key = NoticeKey(
            facts: ObjectIdentifier(facts), kind: kind, zone: letter.person.zone,
            reader: templates.namesReader(kind) ? letter.person.name : nil, body: letter.body,
            mark: kind == .answer ? letter.row.key.notification.mark : nil,
            audience: letter.row.key.notification.receiver.audience,
            distance: TimeWords.distance(from: now, to: facts.meeting.time.startsAt))
        if let known = written.withLock({ $0[key] }) { return known }
        let new = write(letter, facts, now: now)
        written.withLock { written in
            if written.count >= Self.noticesMax { written = [:] }
            written[key] = new
        }
        return new
    }

    private func bringsLinks(_ letter: Letter) -> Bool {
        links != nil && SinkTable.enclosingChannels.contains(letter.row.key.channel)
            && letter.row.key.notification.receiver.person != nil
    }

    /// Who plans it, as its readers may know them.
    private func organizer(_ letter: Letter, _ facts: LetterFacts) -> Person {
        letter.row.key.notification.receiver.person == nil
            ? facts.organizer.withoutAddress : facts.organizer
    }

    /// What a letter says.
    func noticed(_ letter: Letter, _ facts: LetterFacts, now: Moment) -> NoticeFacts {
        let isPrivate = letter.row.key.notification.receiver.audience == nil
        var noticed = NoticeFacts(
            kind: letter.row.key.notification.kind, meeting: facts.meeting,
            organizer: organizer(letter, facts),
            reader: letter.person, turnout: facts.turnout, before: letter.before,
            body: letter.body, now: now)
        noticed.answered = isPrivate ? letter.answered : letter.answered?.withoutAddress
        if let answered = noticed.answered, !isPrivate {
            noticed.body = AnswerWords.line(answered)
        }
        if bringsLinks(letter) { noticed.links = links?.links(of: letter) }
        return noticed
    }

    private func write(_ letter: Letter, _ facts: LetterFacts, now: Moment) -> Written {
        let noticed = noticed(letter, facts, now: now)
        let notice = templates.notice(noticed)
        return Written(
            notice: Notice(subject: notice.subject, text: text(of: notice, for: letter, facts)),
            told: noticed.told, start: start(of: noticed.told.time), facts: facts)
    }

    /// What somebody wrote goes along where it had to wait, and other news goes in its place.
    private func text(
        of notice: Notice, for letter: Letter, _ facts: LetterFacts
    ) -> String {
        switch letter.row.key.notification.kind {
        case .message, .nudge, .answer, .digest, .alarm: return notice.text
        case .invitation, .change, .cancellation, .reminder, .link:
            guard let body = letter.body else { return notice.text }
            // To who plans it goes along what others answered.
            guard letter.person.id != facts.organizer.id else { return "\(notice.text)\n\n\(body)" }
            return "\(notice.text)\n\n\(facts.organizer.name) writes:\n\n\(body)"
        }
    }

    private func start(of time: MeetingTime) -> String {
        guard let zone = try? zones.zone(time.zone) else {
            return time.startsAt.rfc3339(offsetSeconds: 0)
        }
        let start = time.byToday(of: zone).startsAt
        return start.rfc3339(offsetSeconds: zone.offsetSeconds(at: start))
    }
}
