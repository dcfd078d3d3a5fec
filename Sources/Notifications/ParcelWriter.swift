import Agenda
import Ledger
public import Storage
public import Timekeeping
public import Wording

/// Writes letters out as parcels: the one place where facts become words.
public struct ParcelWriter: Sendable {
    private let templates: TemplateLibrary
    private let zones: ZoneDirectory

    /// Writes with these templates and zone rules.
    public init(templates: TemplateLibrary, zones: ZoneDirectory) {
        self.templates = templates
        self.zones = zones
    }

    /// The parcel of a letter, as it reads now.
    public func parcel(_ letter: Letter, now: Moment) -> Parcel {
        let meeting = letter.meeting
        let kind = letter.row.key.notification.kind
        let notice = templates.notice(
            NoticeFacts(
                kind: kind, meeting: meeting, organizer: letter.organizer, reader: letter.person,
                participants: letter.participants, before: letter.before, body: letter.body,
                now: now))
        return Parcel(
            identity: letter.row.name, kind: kind, name: letter.person.name,
            address: letter.person.address, meeting: meeting.id.text, title: meeting.title,
            start: start(of: meeting), zone: meeting.time.zone, due: letter.row.due,
            subject: notice.subject, text: text(of: notice, for: letter))
    }

    /// What somebody wrote goes along where it had to wait, and other news goes in its place.
    private func text(of notice: Notice, for letter: Letter) -> String {
        switch letter.row.key.notification.kind {
        case .message, .nudge: return notice.text
        case .invitation, .change, .cancellation, .reminder:
            guard let body = letter.body else { return notice.text }
            return "\(notice.text)\n\n\(body)"
        }
    }

    private func start(of meeting: Meeting) -> String {
        let offset = (try? zones.zone(meeting.time.zone))?
            .offsetSeconds(at: meeting.time.startsAt)
        return meeting.time.startsAt.rfc3339(offsetSeconds: offset ?? 0)
    }
}
