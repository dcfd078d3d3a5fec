public import Timekeeping

/// The load that somebody's meetings put on an installation and its guests.
public struct OrganizerLoad: Equatable, Sendable {
    /// The people whom they invited since a moment and who have not answered. A person counts once
    /// for each meeting, and for each date of a series that was theirs alone.
    public var invitations = 0
    /// The deliveries that are planned for their coming meetings.
    public var deliveries = 0
    /// The deliveries of invitations, changes, cancellations, nudges and messages of their meetings
    /// that were planned since a moment.
    public var messages = 0
    /// The number of these deliveries to the mailbox or channel that gets the most of them.
    public var messagesToOne = 0
    /// The number of reminders of their meetings on one day in UTC, to the mailbox of somebody else
    /// or the channel, and on the day, with the most of them.
    public var remindersToOne = 0
    /// Their series that go on.
    public var series = 0

    /// Creates a load of nothing.
    public init() {}
}

/// A limit of the load of an organizer. It is checked in the transaction that adds to it, so that
/// simultaneous requests cannot pass it together.
public struct OrganizerLimit: Sendable {
    /// The organizer.
    public let organizer: PersonID
    /// The time since which invitations count.
    public let since: Moment
    /// The current time.
    public let now: Moment
    /// Throws if a load is over the limit.
    public let check: @Sendable (OrganizerLoad) throws -> Void

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - organizer: the organizer.
    ///   - since: the time since which invitations count.
    ///   - now: the current time.
    ///   - check: throws if a load is over the limit.
    public init(
        of organizer: PersonID, since: Moment, now: Moment,
        check: @escaping @Sendable (OrganizerLoad) throws -> Void
    ) {
        self.organizer = organizer
        self.since = since
        self.now = now
        self.check = check
    }
}
