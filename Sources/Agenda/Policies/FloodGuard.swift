import Ledger
public import Timekeeping

/// Limits the number of messages that a person gets about one meeting in an hour, over all
/// channels.
///
/// The limit holds whatever sends the messages. Each message that arrived or may have arrived
/// counts for an hour, and so does each one that is being sent.
public struct FloodGuard: Equatable, Sendable {
    /// The most messages in an hour.
    public static let messagesMax = 20
    /// The part of the limit that is reserved for changes, cancellations and reminders if a meeting
    /// begins within the hour or has begun, because these cannot wait.
    public static let reserve = 4
    /// The time for which a message counts, in milliseconds: one hour.
    public static let spanMilliseconds: Int64 = 3_600_000
    /// Below this number of rows and unanswered attempts for a person and a meeting, the limit
    /// cannot be reached.
    public static let rowsMin = messagesMax - reserve

    /// The times at which messages arrived or may have arrived, the latest first; only as many as
    /// count.
    private var arrivals: [Moment]

    /// Creates a guard.
    ///
    /// - Parameter arrivals: the times at which messages arrived or may have arrived, in any order.
    public init(arrivals: [Moment]) {
        self.arrivals = Array(
            arrivals.sorted(by: >).prefix(FloodGuard.messagesMax))
    }

    /// Counts a message that is about to be sent.
    public mutating func note(at now: Moment) {
        self = FloodGuard(arrivals: arrivals + [now])
    }

    /// The first moment at which fewer than `count` messages have arrived in the hour before it.
    func opening(below count: Int, from now: Moment) -> Moment {
        guard arrivals.count >= count else { return now }
        let end = arrivals[count - 1].advanced(byMilliseconds: Self.spanMilliseconds)
        // If the clock was set back, nothing is held for more than an hour from now.
        return min(max(end, now), now.advanced(byMilliseconds: Self.spanMilliseconds))
    }
}

extension LedgerRow {
    /// The row with the time at which the flood guard allows it: unchanged, or held back.
    ///
    /// - Parameters:
    ///   - guarding: the messages that its person got about the meeting.
    ///   - starts: the starts of the meeting.
    ///   - zone: the time zone of the time in the reason.
    ///   - now: the current time.
    /// - Returns: the row; if it is held back, it is due after `now`.
    public func guarded(
        by guarding: FloodGuard, starts: UrgentStarts, zone: Zone, now: Moment
    ) -> LedgerRow {
        let hour = now.advanced(byMilliseconds: FloodGuard.spanMilliseconds)
        let isSoon = starts.next(after: now).map { $0 <= hour } ?? true
        let mayWait = !key.notification.kind.isCritical && key.notification.kind != .reminder
        let reserve = isSoon && mayWait ? FloodGuard.reserve : 0
        let most = FloodGuard.messagesMax - reserve
        let opening = guarding.opening(below: most, from: now)
        guard opening > now else { return self }
        var row = self
        row.hold = Hold(.flood, wanted: hold?.wanted ?? due)
        row.due = opening
        row.reason =
            "held back until \(zone.wallTime(at: opening).time.shortText) (\(zone.id)): "
            + "\(most) messages about this meeting in an hour"
        return row
    }

    /// The row that replaces several rows to one person that have waited together: the one with the
    /// most facts, or else the latest one that a person wrote.
    ///
    /// - Parameter rows: at least one row, in the order in which they were planned.
    /// - Returns: its index.
    public static func survivor(of rows: [LedgerRow]) -> Int {
        rows.indices.reduce(0) { best, place in
            rows[place].weight >= rows[best].weight ? place : best
        }
    }

    private var weight: Int {
        switch key.notification.kind {
        case .cancellation: 5
        case .change: 4
        case .invitation: 3
        case .message, .refusal: 2
        case .nudge, .promotion, .admission, .decision, .request: 1
        case .reminder, .digest, .alarm, .signIn, .follow: 0
        // The row that replaces them includes the texts of answers. A link may have been requested
        // by a stranger.
        case .answer, .proposal, .join, .leave: -1
        case .link: -2
        }
    }
}
