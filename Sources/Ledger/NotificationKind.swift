/// The kind of a notification.
public enum NotificationKind: String, CaseIterable, Codable, Sendable {
    /// A person is invited to a meeting.
    case invitation
    /// A meeting has changed since a person was last notified.
    case change
    /// A meeting is cancelled, or this person is no longer invited.
    case cancellation
    /// A meeting starts soon.
    case reminder
    /// A person who has not answered is asked again.
    case nudge
    /// A message from the organizer to the people of a meeting.
    case message
    /// The organizer is notified of a guest's answer.
    case answer
    /// The organizer is notified that a participant proposes another time.
    case proposal
    /// A person's proposal was refused.
    case refusal
    /// The organizer is notified that somebody joined.
    case join
    /// The organizer is notified that somebody who had joined left.
    case leave
    /// The organizer is notified that somebody asks to join.
    case request
    /// A person who waited for a seat has one.
    case promotion
    /// The organizer approved or refused a person's request to join.
    case admission
    /// It is decided that a meeting takes place, or does not, by the number of people who joined.
    case decision
    /// A person asked for a new message with their link to a meeting.
    case link
    /// A summary of a person's day or week, with the notifications that waited for it.
    case digest
    /// A job of the installation failed.
    case alarm
    /// A person asked for a link that signs them in.
    case signIn = "sign_in"
    /// Somebody follows an account or asks to, or an account accepted a follower.
    case follow

    /// True if it notifies the organizer of an answer or a proposal of a guest.
    public var tellsOfGuest: Bool { self == .answer || self == .proposal }

    /// True if it notifies the organizer of a seat. Several such notifications are sent as one.
    public var tellsOfSeat: Bool {
        switch self {
        case .join, .leave, .request: true
        default: false
        }
    }

    /// True if its mark says how something was decided.
    public var tellsDecision: Bool { self == .admission || self == .decision }

    /// True if it is about one meeting.
    public var isAboutMeeting: Bool {
        switch self {
        case .invitation, .change, .cancellation, .reminder, .nudge, .message, .answer,
            .proposal, .refusal, .join, .leave, .request, .promotion, .admission, .decision, .link:
            true
        case .digest, .alarm, .signIn, .follow: false
        }
    }

    /// True if it stands in the inbox of a person with an account. A private link goes by mail
    /// only; digests, alarms and sign-in links are not about one meeting.
    public var goesToInbox: Bool {
        switch self {
        case .invitation, .change, .cancellation, .reminder, .nudge, .message, .answer,
            .proposal, .refusal, .join, .leave, .request, .promotion, .admission, .decision,
            .follow:
            true
        case .link, .digest, .alarm, .signIn: false
        }
    }
}
