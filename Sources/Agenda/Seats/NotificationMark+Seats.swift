public import Ledger

extension NotificationMark {
    /// The mark of the notification that a person who waited has a seat. A request for a seat is
    /// promoted once.
    ///
    /// - Parameter asked: the serial number of the request (``SeatMember/asked``).
    public init(promotion asked: Int) {
        self.init(text: String(asked))
    }

    /// The mark of the notification that the organizer decided on a request to join.
    ///
    /// - Parameters:
    ///   - standing: the standing that the organizer gave to the person.
    ///   - asked: the serial number of the request.
    public init(admission standing: SeatStanding, asked: Int) {
        self.init(text: "\(asked) \(standing.rawValue)")
    }

    /// The mark of the notification of the decision that a meeting takes place, or does not.
    public init(_ outcome: Quorum.Outcome) {
        self.init(text: outcome.rawValue)
    }

    /// The standing that an organizer gave to a person who asked to join; `nil` for other marks.
    public var admission: SeatStanding? {
        let parts = text.split(separator: " ")
        guard parts.count == 2, Int(parts[0]) != nil else { return nil }
        return SeatStanding(rawValue: String(parts[1]))
    }

    /// The decision about a minimum; `nil` for other marks.
    public var decision: Quorum.Outcome? { Quorum.Outcome(rawValue: text) }
}
