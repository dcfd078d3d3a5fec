import Ledger
public import Timekeeping

/// A policy that affects when a row is sent, and the time without it.
public struct Hold: Equatable, Sendable {
    /// The kind of policy.
    public enum Kind: String, Sendable {
        /// The sending hours of the person.
        case hours
        /// The flood guard: the limit of messages about one meeting in an hour.
        case flood
        /// The suppression list: the row is suppressed.
        case list
    }

    /// The kind of policy.
    public let kind: Kind
    /// The time at which the row would be sent without the policy.
    public let wanted: Moment

    /// Creates a hold.
    public init(_ kind: Kind, wanted: Moment) {
        self.kind = kind
        self.wanted = wanted
    }
}

/// The starts of a meeting that determine how urgent a notification about it is.
public struct UrgentStarts: Sendable {
    /// The current start.
    public let start: Moment
    /// The start that the person was last notified of; `nil` if it is the current one, or if they
    /// were never notified.
    public let told: Moment?

    /// Creates the starts of a meeting.
    public init(_ start: Moment, told: Moment? = nil) {
        self.start = start
        self.told = told
    }

    /// The first start after a moment.
    func next(after moment: Moment) -> Moment? {
        [start, told].compactMap(\.self).filter { $0 > moment }.min()
    }

    /// True if a start is at most ``LocalHours/criticalMilliseconds`` ahead, or if the meeting has
    /// begun.
    func isNear(at moment: Moment) -> Bool {
        let near = moment.advanced(byMilliseconds: LocalHours.criticalMilliseconds)
        return start <= near || told.map { $0 > moment && $0 <= near } ?? false
    }
}

/// A person's sending hours with their time zone.
public struct LocalHours: Hashable, Sendable {
    /// The time before the start in which a change or a cancellation is never held back, in
    /// milliseconds: 12 hours.
    public static let criticalMilliseconds: Int64 = 12 * 3_600_000

    /// The sending hours.
    public let hours: SendingHours
    /// The person's time zone or, if unknown, that of the meeting.
    public let zone: Zone

    /// Creates sending hours in a time zone.
    public init(_ hours: SendingHours, in zone: Zone) {
        self.hours = hours
        self.zone = zone
    }
}

extension LedgerRow {
    /// The row with the time that its person's sending hours give it. Only this method decides it.
    ///
    /// A row that is wanted at a closed time is held back until the next opening. There are three
    /// exceptions: a change or a cancellation of a meeting that is near, a row that would be too
    /// late (after its deadline, or after a start that it was to precede), and a snooze, whose time
    /// the person chose.
    ///
    /// - Parameters:
    ///   - hours: the person's sending hours; `nil` for none.
    ///   - starts: the starts of the meeting; `nil` if the row is not about a meeting.
    ///   - now: the current time; nothing is sent before it.
    /// - Returns: the row, whose hold and reason state the effect of the sending hours.
    public func timed(by hours: LocalHours?, starts: UrgentStarts?, now: Moment) -> LedgerRow {
        guard hold?.kind != .list, !key.notification.isSnooze else { return self }
        let wanted = hold?.kind == .hours ? hold?.wanted ?? due : due
        let moment = max(wanted, now)
        guard let hours, let obstacle = hours.obstacle(at: moment) else {
            guard hold?.kind == .hours else { return self }
            return held(nil, until: wanted, reason: "")
        }
        let opening = hours.hours.opening(from: moment, in: hours.zone)
        // A row held by the flood guard keeps that hold while it waits for an opening.
        let hold = self.hold?.kind == .flood ? self.hold : Hold(.hours, wanted: wanted)
        if let why = reasonNotToWait(from: moment, until: opening, starts: starts) {
            guard self.hold?.kind != .flood else { return self }
            return held(hold, until: wanted, reason: "not held back by \(obstacle): \(why)")
        }
        return held(
            hold, until: opening,
            reason: "held back until \(hours.clock(opening, seenFrom: moment)): \(obstacle)")
    }

    private func held(_ hold: Hold?, until due: Moment, reason: String) -> LedgerRow {
        var row = self
        row.hold = hold
        row.due = due
        row.reason = reason
        return row
    }

    private func reasonNotToWait(
        from moment: Moment, until opening: Moment, starts: UrgentStarts?
    ) -> String? {
        if key.notification.kind.isCritical, starts?.isNear(at: moment) == true {
            return "it is about a meeting in the next 12 hours"
        }
        let limit = starts?.next(after: moment).map { min($0, deadline) } ?? deadline
        return opening >= limit ? "it would come too late" : nil
    }
}

extension LocalHours {
    fileprivate func obstacle(at moment: Moment) -> String? {
        hours.obstacle(at: zone.wallTime(at: moment)).map { "\($0) (\(zone.id))" }
    }

    /// The time, such as "08:00", if it is less than 24 hours away, otherwise with the day: "Mon
    /// 09:00", "2 Jan 09:00".
    fileprivate func clock(_ opening: Moment, seenFrom moment: Moment) -> String {
        let wall = zone.wallTime(at: opening)
        let days =
            wall.date.daysSince1970 - zone.wallTime(at: moment).date.daysSince1970
        guard opening.milliseconds(since: moment) >= 86_400_000 else { return wall.time.shortText }
        let day = days < 7 ? String(wall.date.weekday.name.prefix(3)) : wall.date.description
        return "\(day) \(wall.time.shortText)"
    }
}

extension NotificationKind {
    /// True if a person who misses the notification may travel to the meeting for nothing.
    var isCritical: Bool {
        switch self {
        case .change, .cancellation: true
        case .invitation, .reminder, .nudge, .message, .answer, .proposal, .refusal, .join, .leave,
            .request, .promotion, .admission, .decision, .link, .digest, .alarm, .signIn, .follow:
            false
        }
    }
}
