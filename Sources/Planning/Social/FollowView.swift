import Agenda
import Ledger
public import Storage
import Timekeeping

/// An account in a list of follows or blocks.
public struct FollowLine: Encodable, Sendable {
    /// The person's id. Their profile has it as its address.
    public let id: String
    /// The name.
    public let name: String
    /// False while the followed account has not decided about the request.
    public let accepted: Bool
    /// The time at which the follower asked, or the person was blocked.
    public let since: Timestamp

    /// The place in its list, for the page after it.
    public var place: FollowPlace {
        FollowPlace(after: PersonID(text: id), at: since.moment)
    }

    init(_ person: Person, accepted: Bool, since: Timestamp) {
        id = person.id.text
        name = PersonLine(person, isPrivate: true).name
        self.accepted = accepted
        self.since = since
    }
}

/// The follows of an account, as it sees them itself.
public struct FollowLists: Encodable, Sendable {
    /// The accounts that follow it.
    public let followers: [FollowLine]
    /// The accounts that asked to follow it.
    public let requests: [FollowLine]
    /// The accounts that it follows, or asked to follow.
    public let following: [FollowLine]
    /// The people whom it blocks.
    public let blocked: [FollowLine]
    /// True if one of the lists has more rows than these.
    public let truncated: Bool
}

/// The result of a change of follows.
public struct FollowOutcome: Encodable, Sendable {
    /// The other person.
    public let person: PersonLine
    /// The result: `following`, `requested` or `none` for the actor who follows; `follower`,
    /// `refused`, `removed`, `blocked` or `unblocked` for the actor who is followed.
    public let state: String
    /// `running` if a daemon works on this home folder, otherwise `none`.
    public let daemon: DaemonPresence
}

/// An open meeting of somebody, in one line.
public struct ProfileMeetingLine: Encodable, Sendable {
    /// The id of the meeting.
    public let id: String
    /// The title.
    public let title: String
    /// The start with the meeting's UTC offset. For a series, that of its first date.
    public let start: Timestamp
    /// The end with the meeting's UTC offset. For a series, that of its first date.
    public let end: Timestamp
    /// True if it repeats.
    public let repeats: Bool
    /// The place in words; `null` if it was not decided.
    @Null public var place: String?
    /// The number of seats; `null` for no limit.
    @Null public var seats: Int?
    /// The number of free seats; `null` for no limit.
    @Null public var free: Int?
}

/// The profile of an account, as the actor sees it.
public struct ProfileView: Encodable, Sendable {
    /// The person's id.
    public let id: String
    /// The name.
    public let name: String
    /// The words of the person about themselves; empty for none.
    public let about: String
    /// The time at which the account was made.
    public let since: Timestamp
    /// True if it is the actor's own profile.
    public let own: Bool
    /// True if the account decides on each follower.
    public let approves: Bool
    /// True if others see who follows the account, and whom it follows.
    public let shows: Bool
    /// The number of followers; `null` if the actor may not see it.
    @Null public var followers: Int?
    /// The number of accounts that it follows; `null` if the actor may not see it.
    @Null public var following: Int?
    /// True if the actor follows the account; false if they asked; `null` if neither.
    @Null public var followed: Bool?
    /// True if the account follows the actor; false if it asked; `null` if neither.
    @Null public var follows: Bool?
    /// The names of the actor's circles that the person is in.
    public let circles: [String]
    /// The open meetings of the person that the actor may see, the earliest first.
    public let meetings: [ProfileMeetingLine]
}
