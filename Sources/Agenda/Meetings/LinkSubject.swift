public import Ledger

/// The purpose and the person of a private link. Its holder can do that and nothing else.
public struct LinkSubject: Hashable, Sendable {
    /// The action that a link allows.
    public enum Purpose: String, CaseIterable, Sendable {
        /// See a meeting and answer it.
        case guest
        /// Unsubscribe from reminders.
        case reminders
        /// Unsubscribe from digests.
        case digests
    }

    /// The person to whom the link belongs.
    public let person: PersonID
    /// The meeting, if the link is for one.
    public let meeting: MeetingID?
    /// The action that the link allows.
    public let purpose: Purpose

    private init(person: PersonID, meeting: MeetingID?, purpose: Purpose) {
        self.person = person
        self.meeting = meeting
        self.purpose = purpose
    }

    /// A link to see a meeting and to answer it.
    public static func guest(_ person: PersonID, of meeting: MeetingID) -> LinkSubject {
        LinkSubject(person: person, meeting: meeting, purpose: .guest)
    }

    /// A link to unsubscribe from automatic notifications of a kind; `nil` if this kind has no such
    /// link.
    public static func unsubscribing(
        _ person: PersonID, from kind: NotificationKind
    ) -> LinkSubject? {
        switch kind {
        case .reminder: LinkSubject(person: person, meeting: nil, purpose: .reminders)
        case .digest: LinkSubject(person: person, meeting: nil, purpose: .digests)
        case .invitation, .change, .cancellation, .nudge, .message, .answer, .proposal, .refusal,
            .join, .leave, .request, .promotion, .admission, .decision, .link, .alarm, .signIn,
            .follow:
            nil
        }
    }

    /// The links to unsubscribe from all automatic notifications, one for each kind.
    public static func unsubscribing(_ person: PersonID) -> [LinkSubject] {
        [.reminders, .digests].map { LinkSubject(person: person, meeting: nil, purpose: $0) }
    }

    /// Restores a subject from the store; `nil` if its parts do not match.
    public init?(purpose: String, person: PersonID, meeting: MeetingID?) {
        guard let purpose = Purpose(rawValue: purpose), (meeting != nil) == (purpose == .guest)
        else { return nil }
        self.init(person: person, meeting: meeting, purpose: purpose)
    }
}
