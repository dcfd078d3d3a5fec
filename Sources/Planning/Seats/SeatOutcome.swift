public import Agenda

/// The result of joining or leaving a meeting.
public struct SeatOutcome: ChangeOutcome {
    /// The meeting afterwards, as the actor sees it.
    public let meeting: MeetingView
    /// The result: `joined`, `waiting`, `requested` or `left`.
    public let result: String
    /// The place on the waiting list, from 1; `null` if the actor does not wait.
    @Null public var position: Int?
    /// The changes of the ledger.
    public let notifications: NotificationsView
    /// `running` if a daemon works on this home folder, otherwise `none`.
    public let daemon: DaemonPresence
    /// Remarks about the change.
    public var remarks: [Remark]
}

/// A request to join a meeting, as its organizer sees it.
public struct SeatRequestLine: Encodable, Sendable {
    /// The person's id.
    public let id: String
    /// The name.
    public let name: String
    /// The mail address; `null` if none is known.
    @Null public var address: String?
    /// The number of guests whom they want to bring.
    public let plus: Int
    /// Their note to the organizer.
    public let note: String
    /// The date of a series; `null` for the whole meeting.
    @Null public var occurrence: String?
    /// True if the organizer refused it.
    public let refused: Bool
    /// The time of the request, in UTC.
    public let at: Timestamp
}
