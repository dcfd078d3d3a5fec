/// What a notification is about.
public enum NotificationKind: String, CaseIterable, Codable, Sendable {
    /// A person is asked to a meeting.
    case invitation
    /// A meeting that a person knows of has other facts now.
    case change
    /// A meeting is off, or off for this person.
    case cancellation
    /// A meeting is near.
    case reminder
    /// A person who has not answered is asked again.
    case nudge
    /// A text that the organizer wrote to people of a meeting.
    case message
    /// Who plans a meeting is told what somebody answered.
    case answer
    /// Who plans a meeting is told that somebody proposes another time.
    case proposal
    /// Somebody's proposal was refused.
    case refusal
    /// A person asked for their link to a meeting anew.
    case link
    /// What a day or a week brings somebody, and what waited for it.
    case digest
    /// A job of the installation failed.
    case alarm

    /// Whether it tells who plans a meeting what a guest of it said.
    public var tellsOfGuest: Bool { self == .answer || self == .proposal }

    /// Whether it is about one meeting.
    public var isAboutMeeting: Bool {
        switch self {
        case .invitation, .change, .cancellation, .reminder, .nudge, .message, .answer,
            .proposal, .refusal, .link:
            true
        case .digest, .alarm: false
        }
    }
}
