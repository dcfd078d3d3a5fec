public import Ledger
public import Timekeeping

/// A meeting with everything that planning needs for decisions about it.
public struct MeetingBundle: Sendable {
    /// The meeting.
    public var meeting: Meeting
    /// Its participants in the order in which they were invited, including those who were
    /// uninvited.
    public var participants: [Participant]
    /// The persons of the participants, by id.
    public var people: [PersonID: Person]
    /// The personal preferences that apply to the participants.
    public var wishes: PersonalWishes
    /// The SEQUENCE of the whole meeting, even while one of its occurrences is examined.
    public let sequenceTold: Int
    /// All rows of the ledger for the meeting.
    public var rows: [LedgerRow]
    /// The latest end that the meeting ever had.
    public var lastEndsAt: Moment?
    /// The start that each revision announced first, for the latest revisions.
    public var toldStarts: [Int: Moment] = [:]
    /// The starts that revisions announced for single dates that were changed, by the names of the
    /// dates. In the bundle of one date, those of this date alone, with the start by the rule.
    public var dateStarts: [String: [Int: Moment]] = [:]
    /// The facts that earlier revisions told.
    public var pastFacts = PastFacts()
    /// The facts that the current revision announced, if the meeting was changed later without a
    /// notification; otherwise `nil`.
    public var toldFacts: MeetingFacts?
    /// True if the title, the note or the link was edited since people were last notified.
    public var hasUntoldTexts = false
    /// True if the title, the note or the link was edited since the last news that reached somebody
    /// for whom later news was withdrawn. Others may have read these texts.
    public var hasTextsLeftBehind = false
    /// Additional reminders that people asked for.
    public var snoozes: [PersonID: Snooze] = [:]
    /// The audiences that have channels of their own.
    public var audiences: [Audience] = []
    /// The participants who differ on single occurrences, by the names of the occurrences: those
    /// who answered, were invited or were uninvited there.
    public var dateParticipants: [String: [Participant]] = [:]
    /// The requests to join on which the organizer has not decided, or which they refused, keyed by
    /// the name of the occurrence; the empty key holds those for the whole meeting.
    public var joinRequests: [String: [JoinRequest]] = [:]
    /// For one date of a series, the people who take part in the whole series; otherwise empty.
    public var membersOfAll: Set<PersonID> = []
    /// For one date of a series, the people who wait for a seat in the whole series, not on this
    /// date; otherwise empty.
    public var waitingForAll: Set<PersonID> = []
    /// The circles that were invited, keyed by the name of the occurrence; the empty key holds
    /// those that were invited to the whole meeting.
    public var circlesAsked: [String: Set<CircleID>] = [:]
    /// The revision of the meeting when the sinks that report on the whole installation were
    /// enabled; `nil` if they were enabled from the start.
    public var revisionBeforeTelling: Int?

    /// Creates a bundle. A new meeting has no rows and no history.
    public init(
        meeting: Meeting, participants: [Participant], people: [PersonID: Person],
        wishes: PersonalWishes = PersonalWishes(), rows: [LedgerRow] = [],
        lastEndsAt: Moment? = nil, dateParticipants: [String: [Participant]] = [:]
    ) {
        self.meeting = meeting
        sequenceTold = meeting.sequence
        self.participants = participants
        self.people = people
        self.wishes = wishes
        self.rows = rows
        self.lastEndsAt = lastEndsAt
        self.dateParticipants = dateParticipants
        audiences = wishes.audiencesSince.keys.sorted { $0.name < $1.name }
    }

    /// The SEQUENCE of the meeting as this person knows it. For each time they were uninvited and
    /// invited again, they receive two changes that others do not.
    public func sequence(for person: PersonID) -> Int {
        (meeting.series?.sequence ?? meeting.sequence) + 2 * rounds(of: person)
    }

    /// The highest SEQUENCE that this person can know; changes of single occurrences raise it, too.
    public func sequenceMax(for person: PersonID) -> Int {
        sequenceTold + 2 * rounds(of: person)
    }

    private func rounds(of person: PersonID) -> Int {
        let own = rows.map(\.key.notification).filter {
            $0.receiver == .person(person.text) && (meeting.series == nil || $0.occurrence.isEmpty)
        }
        return own.map(\.round).max() ?? 0
    }
}
