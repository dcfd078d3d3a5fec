public import Ledger

/// A group of readers who share a channel. Each notification is sent to it once, however many of
/// them take part in the meeting.
///
/// An audience gets what concerns everybody: the invitation as soon as one of them is invited,
/// changes, the cancellation (also when all of them were uninvited), the meeting's own reminders,
/// the answers of guests, and the organizer's messages to all. Neither sending hours nor the flood
/// guard apply to it.
public struct Audience: Hashable, Sendable {
    /// The name of the audience in keys.
    public let name: String
    /// The meeting's revision when the audience was created: the audience is not notified of
    /// earlier ones. `nil` if the audience existed before the meeting.
    public var revisionKnown: Int?
    /// The people who make a meeting concern this audience when they are invited; `nil` for
    /// anybody. The organizer does not count.
    public var members: Set<PersonID>?

    /// Creates an audience.
    public init(
        name: String, revisionKnown: Int? = nil, members: Set<PersonID>? = nil
    ) {
        self.name = name
        self.revisionKnown = revisionKnown
        self.members = members
    }

    /// Everybody in this installation.
    public static let installation = Audience(name: "installation")

    /// The members of a circle, by the circle's id.
    public static func circle(_ id: String) -> Audience { Audience(name: circlePrefix + id) }

    /// The id of the audience's circle; `nil` for another kind of audience.
    public var circle: String? {
        name.hasPrefix(Self.circlePrefix) ? String(name.dropFirst(Self.circlePrefix.count)) : nil
    }

    private static let circlePrefix = "circle "

    /// Everybody who takes part in a meeting.
    public static func meeting(_ id: MeetingID) -> Audience {
        Audience(name: meetingPrefix + id.text)
    }

    /// The audience's meeting; `nil` for another kind of audience.
    public var meeting: MeetingID? {
        name.hasPrefix(Self.meetingPrefix)
            ? MeetingID(text: String(name.dropFirst(Self.meetingPrefix.count))) : nil
    }

    private static let meetingPrefix = "meeting "

    /// The readers in words.
    ///
    /// - Parameter name: the name of the circle, or the title of the meeting.
    /// - Returns: "the circle Hikers", "everybody in Lunch" or "the installation".
    public func words(named name: String) -> String {
        if circle != nil { return "the circle \(name)" }
        return meeting != nil ? "everybody in \(name)" : "the installation"
    }

    /// Their channel in words, such as "the channel of the circle Hikers".
    public func channelWords(named name: String) -> String {
        "the channel of " + (meeting == nil ? words(named: name) : "this meeting")
    }

    /// The position of the circle's id in the name, counted from 1.
    public static let circleIDPlace = circlePrefix.count + 1

    /// The receiver of its notifications.
    public var receiver: Receiver { .audience(name) }

    /// True if audiences get notifications of this kind. Those that are addressed to single people
    /// are excluded.
    public static func hears(_ kind: NotificationKind) -> Bool {
        switch kind {
        case .invitation, .change, .cancellation, .reminder, .message, .answer: true
        case .nudge, .proposal, .refusal, .join, .leave, .request, .promotion, .admission,
            .decision, .link, .digest, .alarm, .signIn, .follow:
            false
        }
    }
}

extension Receiver {
    /// The receiver in words.
    ///
    /// - Parameter name: the name of the person or circle, or the title of the meeting.
    /// - Returns: the name of a person, or ``Audience/words(named:)``.
    public func words(named name: String) -> String {
        audience.map { Audience(name: $0).words(named: name) } ?? name
    }
}
