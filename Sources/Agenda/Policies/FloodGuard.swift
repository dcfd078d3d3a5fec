import Ledger
public import Timekeeping

/// How many messages a person gets of one meeting in an hour, by whichever channel.
///
/// The bound holds whatever sends: each message that arrived, or may have, counts for an hour, and
/// so does each that is under way.
public struct FloodGuard: Equatable, Sendable {
    /// The most messages in an hour.
    public static let messagesMax = 20
    /// How many of them are left for changes, cancellations and reminders where a meeting begins
    /// within the hour, or has begun: they could not wait.
    public static let reserve = 4
    /// For how long a message counts, in milliseconds: an hour.
    public static let spanMilliseconds: Int64 = 3_600_000
    /// As long as a person has fewer rows and unanswered attempts of a meeting, no bound is
    /// reached: there is not so much that may have arrived.
    public static let rowsMin = messagesMax - reserve

    /// When messages arrived, or may have, the latest first; no more than count.
    private var arrivals: [Moment]

    /// - Parameter arrivals: when messages arrived, or may have, in any order.
    public init(arrivals: [Moment]) {
        self.arrivals = Array(
            arrivals.sorted(by: >).prefix(FloodGuard.messagesMax))
    }

    /// Counts a message that is about to be sent.
    public mutating func note(at now: Moment) {
        self = FloodGuard(arrivals: arrivals + [now])
    }

    /// The first moment at which fewer than so many messages arrived in the hour before it.
    func opening(below count: Int, from now: Moment) -> Moment {
        guard arrivals.count >= count else { return now }
        let end = arrivals[count - 1].advanced(byMilliseconds: Self.spanMilliseconds)
        // A clock that was set back holds up nothing for longer.
        return min(max(end, now), now.advanced(byMilliseconds: Self.spanMilliseconds))
    }
}

extension LedgerRow {
    /// The row at the time at which the flood guard lets it go: as it is, or held back.
    ///
    /// - Parameters:
    ///   - guarding: what its person got of its meeting.
    ///   - starts: when the meeting begins.
    ///   - zone: the one in which the reason tells the time.
    ///   - now: the clock.
    /// - Returns: the row; held back where its due moment is after `now`.
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

    /// Which of several rows to one person goes in place of all, when they have waited together:
    /// what says most of the facts, else the latest of those that somebody wrote.
    ///
    /// - Parameter rows: at least one, in the order in which they were planned.
    /// - Returns: its place among them.
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
        case .nudge: 1
        case .reminder, .digest, .alarm: 0
        // What goes in their place brings the texts of answers, and a link, which a stranger may
        // have asked for.
        case .answer, .proposal: -1
        case .link: -2
        }
    }
}
