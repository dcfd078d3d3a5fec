public import Timekeeping

/// An entry in a meeting's history: the action, its actor, and the facts from then on.
public struct MeetingAct: Equatable, Sendable {
    /// The kinds of actions.
    public enum Deed: String, Sendable {
        /// The meeting was created.
        case created
        /// Details were changed.
        case edited
        /// The meeting was moved to another time.
        case moved
        /// The meeting was cancelled.
        case cancelled
        /// The cancellation was taken back.
        case uncancelled
        /// People were invited.
        case invited
        /// People were uninvited.
        case uninvited
    }
    /// The kind of action.
    public let deed: Deed
    /// The person who did it.
    public let actor: PersonID
    /// The time of the action.
    public let at: Moment
    /// True if nobody was notified.
    public let isQuiet: Bool
    /// True if people are told of it even if they know the facts: its author wrote words about it,
    /// or asked to notify people.
    public let isAnnounced: Bool
    /// True if people are told another title, note or link with it.
    public let tellsTexts: Bool
    /// True if it concerns the whole meeting, and gives, drops or renames exceptions of dates.
    public let changesDates: Bool
    /// The occurrence that was changed; `nil` for the whole meeting.
    public let date: SeriesDate?

    /// Creates an entry.
    public init(
        _ deed: Deed, by actor: PersonID, at: Moment, isQuiet: Bool = false,
        isAnnounced: Bool = false, tellsTexts: Bool = false,
        changesDates: Bool = false, on date: SeriesDate? = nil
    ) {
        self.date = date
        self.deed = deed
        self.actor = actor
        self.at = at
        self.isQuiet = isQuiet
        self.isAnnounced = isAnnounced
        self.tellsTexts = tellsTexts
        self.changesDates = changesDates
    }
}
