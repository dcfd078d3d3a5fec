public import Timekeeping

/// The part of a meeting's life that decides if people can join and leave.
public enum SeatPhase: String, CaseIterable, Sendable {
    /// The meeting has not ended. People can join it until its end.
    case coming
    /// The meeting has ended.
    case over
    /// The meeting is cancelled.
    case cancelled

    /// The phase of a meeting, or of one date of a series.
    ///
    /// - Parameters:
    ///   - status: the status of the meeting or date.
    ///   - endsAt: its end. At this moment it is over.
    ///   - now: the current time.
    public init(of status: MeetingStatus, endsAt: Moment, now: Moment) {
        switch status {
        case .cancelled: self = .cancelled
        case .confirmed: self = now < endsAt ? .coming : .over
        }
    }

    /// The answer to whoever wants to join or leave; `nil` if they can.
    var refusal: SeatAnswer? {
        switch self {
        case .coming: nil
        case .over: .over
        case .cancelled: .cancelled
        }
    }
}
