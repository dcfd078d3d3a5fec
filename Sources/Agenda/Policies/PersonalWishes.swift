public import Ledger
public import Timekeeping

/// The notification preferences of people, with everything else that decides how they are notified.
public struct PersonalWishes: Equatable, Sendable {
    /// The reminder times before a start, for people who do not leave them to each meeting.
    public var reminders: [PersonID: [TimeSpan]] = [:]
    /// The sending hours, for people who have any.
    public var hours: [PersonID: SendingHours] = [:]
    /// The time zones of people with sending hours, where they are known. They are for planning:
    /// an organizer may not know them.
    public var zones: [PersonID: String] = [:]
    /// The suppressed addresses.
    public var suppressions = ListedAddresses()
    /// The people's own channels, and the channels of audiences that they belong to.
    public var channels: [OwnChannel] = []
    /// The people with an account, each with the kinds of notifications that they do not want in
    /// their inbox.
    public var inboxes: [PersonID: Set<NotificationKind>] = [:]
    /// The time when the first channel of each audience was added.
    public var audiencesSince: [Audience: Moment] = [:]

    /// Creates empty preferences.
    public init() {}
}

/// The notification preferences of one person.
public struct PersonalPolicy: Equatable, Sendable {
    /// The reminder times before a start; `nil` to leave them to each meeting.
    public var reminders: [TimeSpan]?
    /// The sending hours; `nil` to have those of circles or of the installation.
    public var hours: SendingHours?
    /// The digest period; `nil` for no digests.
    public var digest: DigestPeriod?
    /// True if birthdays of contacts are shown in the day and in digests.
    public var showsBirthdays = true

    /// Creates a policy.
    public init(
        reminders: [TimeSpan]? = nil, hours: SendingHours? = nil, digest: DigestPeriod? = nil
    ) {
        self.reminders = reminders
        self.hours = hours
        self.digest = digest
    }
}

/// The period of a digest.
public enum DigestPeriod: String, CaseIterable, Sendable {
    /// A day.
    case daily
    /// A week.
    case weekly

    /// The length of the period.
    public var span: TimeSpan { TimeSpan(days: self == .daily ? 1 : 7, seconds: 0) }
}
