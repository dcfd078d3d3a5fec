public import Ledger

/// What a private link is for, and whose it is: who has it may do that and nothing else.
public struct LinkSubject: Hashable, Sendable {
    /// What a link lets its holder do.
    public enum Purpose: String, CaseIterable, Sendable {
        /// To see a meeting and to answer it.
        case guest
        /// To get no more reminders.
        case reminders
        /// To get no more digests.
        case digests
    }

    /// Whose link it is.
    public let person: PersonID
    /// The meeting, where it is for one.
    public let meeting: MeetingID?
    /// What for.
    public let purpose: Purpose

    private init(person: PersonID, meeting: MeetingID?, purpose: Purpose) {
        self.person = person
        self.meeting = meeting
        self.purpose = purpose
    }

    /// To see a meeting and to answer it.
    public static func guest(_ person: PersonID, of meeting: MeetingID) -> LinkSubject {
        LinkSubject(person: person, meeting: meeting, purpose: .guest)
    }

    /// To get no more of what comes by itself; `nil` where no link says that of this kind.
    public static func unsubscribing(
        _ person: PersonID, from kind: NotificationKind
    ) -> LinkSubject? {
        switch kind {
        case .reminder: LinkSubject(person: person, meeting: nil, purpose: .reminders)
        case .digest: LinkSubject(person: person, meeting: nil, purpose: .digests)
        case .invitation, .change, .cancellation, .nudge, .message, .answer, .proposal, .refusal,
            .link, .alarm:
            nil
        }
    }

    /// To get no more of anything that comes by itself: one for each kind of it.
    public static func unsubscribing(_ person: PersonID) -> [LinkSubject] {
        [.reminders, .digests].map { LinkSubject(person: person, meeting: nil, purpose: $0) }
    }

    /// The subject as it was kept; `nil` where its parts do not fit together.
    public init?(purpose: String, person: PersonID, meeting: MeetingID?) {
        guard let purpose = Purpose(rawValue: purpose), (meeting != nil) == (purpose == .guest)
        else { return nil }
        self.init(person: person, meeting: meeting, purpose: purpose)
    }
}
