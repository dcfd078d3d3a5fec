public import Ledger
public import Timekeeping

/// The result of a use case for a meeting: the new facts and the changes to the ledger, saved
/// together.
public struct MeetingRevision: Sendable {
    /// The meeting after the change.
    public var meeting: Meeting
    /// The participants after the change.
    public var participants: [Participant]
    /// The participants who differ on single occurrences after the change; `nil` if they stay as
    /// they are.
    public var dateParticipants: [String: [Participant]]?
    /// The occurrence that was changed; `nil` for the whole meeting.
    public var date: SeriesDate?
    /// The requests to join, as in ``MeetingBundle/joinRequests``; `nil` if they stay as they are.
    public var joinRequests: [String: [JoinRequest]]?
    /// The invited circles, as in ``MeetingBundle/circlesAsked``; `nil` if they stay as they are.
    public var circlesAsked: [String: Set<CircleID>]?
    /// The persons of the participants, including new ones.
    public var people: [PersonID: Person]
    /// Persons who are new to this installation.
    public var guests: [Person] = []
    /// The entry for the history; `nil` for changes that the history does not record, such as an
    /// answer.
    public var act: MeetingAct?
    /// The changes to the ledger.
    public var difference: LedgerDifference
    /// The reason why rows are superseded.
    public var reason: String
    /// Additional reminders that people asked for.
    public var snoozes: [PersonID: Snooze] = [:]
    /// The new meetings that replace the rest of a series; they are saved together with it.
    public var continued: [MeetingRevision] = []
    /// The text that the added rows carry, with its author.
    public var body: (author: PersonID, text: String)?
    /// The notifications for which the text was written; `nil` for all that carry a text.
    public var bodyKeys: Set<NotificationKey>?
    /// The limit of the author's meetings; `nil` for none.
    public var organizerLimit: OrganizerLimit?
    /// The person who answered themselves, so that the organizer knows them from now on.
    public var introduced: PersonID?
    /// The addresses by which the organizer knows the people who are invited now.
    public var knownAddresses: [PersonID: String] = [:]
    /// The people who chose their own reminder times, which only they and the owner of the
    /// installation may know.
    public var ownReminders: Set<PersonID> = []
    /// Remarks for the author of the change, in sentences.
    public var remarks: [Remark] = []
    /// The current time.
    public var now: Moment

    /// Creates a revision.
    public init(
        meeting: Meeting, participants: [Participant], people: [PersonID: Person],
        guests: [Person] = [],
        act: MeetingAct? = nil, difference: LedgerDifference, reason: String,
        body: (author: PersonID, text: String)? = nil,
        bodyKeys: Set<NotificationKey>? = nil, now: Moment
    ) {
        self.meeting = meeting
        self.participants = participants
        self.people = people
        self.guests = guests
        self.act = act
        self.difference = difference
        self.reason = reason
        self.body = body
        self.bodyKeys = bodyKeys
        self.now = now
    }

    /// True for a reminder at a time that its receiver chose for all their meetings.
    public func isByOwnChoice(_ key: NotificationKey) -> Bool {
        guard key.kind == .reminder, !key.isSnooze, let person = key.receiver.person else {
            return false
        }
        return ownReminders.contains(PersonID(text: person))
    }
}
