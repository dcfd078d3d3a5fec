public import Timekeeping

/// The last news of an open meeting, as feeds show it.
public struct OpenNews: Hashable, Sendable {
    /// The kinds of news.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// People can join from now on.
        case new
        /// The meeting has another time.
        case moved
        /// All seats are taken.
        case full
        /// The meeting took place.
        case over
    }

    /// The kind.
    public let kind: Kind
    /// The time of the news.
    public let at: Moment

    /// Creates news.
    public init(_ kind: Kind, at: Moment) {
        self.kind = kind
        self.at = at
    }
}

extension OpenNews {
    /// The news that a change of a meeting is.
    ///
    /// - Parameters:
    ///   - before: the meeting before the change, and the seats taken then; `nil` for a new
    ///     meeting.
    ///   - after: the meeting after the change, and the seats taken then.
    /// - Returns: the most important news; `nil` if the change is none: nobody can join the
    ///   meeting, it is cancelled, or only its texts or its people changed.
    public static func kind(
        from before: (meeting: Meeting, taken: Int)?, to after: (meeting: Meeting, taken: Int)
    ) -> Kind? {
        guard let seating = after.meeting.seating, seating.audience != nil,
            after.meeting.status == .confirmed
        else { return nil }
        guard let before, let old = before.meeting.seating, old.audience != nil,
            before.meeting.status == .confirmed
        else { return .new }
        if before.meeting.time != after.meeting.time { return .moved }
        func isFull(_ seating: Seating, _ taken: Int) -> Bool {
            seating.seats.map { taken >= $0 } ?? false
        }
        return isFull(seating, after.taken) && !isFull(old, before.taken) ? .full : nil
    }
}

extension [Participant] {
    /// The seats that these people take in a meeting, each with their guests. Who is going for an
    /// old time keeps the seat.
    public var seatsTaken: Int {
        reduce(0) { count, participant in
            guard !participant.isRemoved, participant.answer == .going else { return count }
            return count + 1 + participant.plus
        }
    }
}
