public import Ledger

/// Many who read one channel: they are told of a meeting once, however many of them take part.
///
/// An audience is told what concerns everybody: the invitation as soon as one of them is asked,
/// changes, the cancellation, also where all of them were taken off, the meeting's own reminders,
/// what guests answer, and what the organizer writes to all. Nobody's hours and no flood guard hold
/// that back.
public struct Audience: Hashable, Sendable {
    /// Its name in keys.
    public let name: String
    /// The revision that a meeting had when the audience came to be: what came before is not told
    /// to it. `nil` where the audience was there first.
    public var revisionKnown: Int?
    /// Whose asking makes a meeting its own, besides the organizer; `nil` for anybody's.
    public var members: Set<PersonID>?

    /// Names an audience.
    public init(
        name: String, revisionKnown: Int? = nil, members: Set<PersonID>? = nil
    ) {
        self.name = name
        self.revisionKnown = revisionKnown
        self.members = members
    }

    /// Everybody in this installation.
    public static let installation = Audience(name: "installation")

    /// The people of a circle, by its id.
    public static func circle(_ id: String) -> Audience { Audience(name: circlePrefix + id) }

    /// The id of the circle whose people it is; `nil` for another audience.
    public var circle: String? {
        name.hasPrefix(Self.circlePrefix) ? String(name.dropFirst(Self.circlePrefix.count)) : nil
    }

    private static let circlePrefix = "circle "

    /// All who take part in a meeting.
    public static func meeting(_ id: MeetingID) -> Audience {
        Audience(name: meetingPrefix + id.text)
    }

    /// The meeting whose people it is; `nil` for another audience.
    public var meeting: MeetingID? {
        name.hasPrefix(Self.meetingPrefix)
            ? MeetingID(text: String(name.dropFirst(Self.meetingPrefix.count))) : nil
    }

    private static let meetingPrefix = "meeting "

    /// From which character of the name on the id of a circle stands, counted from 1.
    public static let circleIDPlace = circlePrefix.count + 1

    /// Whom a notification names that is for it.
    public var receiver: Receiver { .audience(name) }

    /// Whether an audience is told things of a kind at all: what is said to single people is not
    /// for it.
    public static func hears(_ kind: NotificationKind) -> Bool {
        switch kind {
        case .invitation, .change, .cancellation, .reminder, .message, .answer: true
        case .nudge, .proposal, .refusal, .link, .digest, .alarm: false
        }
    }
}
