public import Ledger
public import Timekeeping

/// What has a say in when a row is sent, beside what it is about.
public struct Hold: Equatable, Sendable {
    /// What it is.
    public enum Kind: String, Sendable {
        /// The hours in which its person wants to be told things.
        case hours
        /// The number of messages that a person gets of one meeting in an hour.
        case flood
        /// The list of addresses to which nothing is sent: the row is suppressed by it.
        case list
    }

    /// What it is.
    public let kind: Kind
    /// When the row is to be sent by itself.
    public let wanted: Moment

    /// Describes a hold.
    public init(_ kind: Kind, wanted: Moment) {
        self.kind = kind
        self.wanted = wanted
    }
}

/// When a meeting begins, for whoever weighs how much something about it hurries.
public struct UrgentStarts: Sendable {
    /// When it begins.
    public let start: Moment
    /// When it would have begun, as its person was told last; `nil` where that is the same, or
    /// they were told nothing.
    public let told: Moment?

    /// Describes the starts of a meeting.
    public init(_ start: Moment, told: Moment? = nil) {
        self.start = start
        self.told = told
    }

    /// The first start that comes after a moment.
    func next(after moment: Moment) -> Moment? {
        [start, told].compactMap(\.self).filter { $0 > moment }.min()
    }

    /// Whether a start lies at most ``LocalHours/criticalMilliseconds`` ahead, or the meeting has
    /// begun.
    func isNear(at moment: Moment) -> Bool {
        let near = moment.advanced(byMilliseconds: LocalHours.criticalMilliseconds)
        return start <= near || told.map { $0 > moment && $0 <= near } ?? false
    }
}

/// A person's hours in the zone by whose clocks they are meant.
public struct LocalHours: Hashable, Sendable {
    /// A change or a cancellation of a meeting that starts within so long is never held back:
    /// 12 hours.
    public static let criticalMilliseconds: Int64 = 12 * 3_600_000

    /// The hours.
    public let hours: SendingHours
    /// The person's zone, or where that is not known the meeting's.
    public let zone: Zone

    /// Hours in a zone.
    public init(_ hours: SendingHours, in zone: Zone) {
        self.hours = hours
        self.zone = zone
    }
}

extension LedgerRow {
    /// The row at the time that its person's hours give it: the one place that decides it.
    ///
    /// What is wanted at a time that is not open is held back until the next opening. A change or
    /// a cancellation of a meeting that is near goes all the same, and so does what would come
    /// too late: after its deadline, or after a start that it was to come before. What was asked
    /// for at that very time, a snooze, is not held back either.
    ///
    /// - Parameters:
    ///   - hours: the person's; `nil` for none.
    ///   - starts: when the meeting begins; `nil` for what is about none.
    ///   - now: the clock; nothing is sent before it.
    /// - Returns: the row; its hold and reason say what its person's hours have to do with it.
    public func timed(by hours: LocalHours?, starts: UrgentStarts?, now: Moment) -> LedgerRow {
        guard hold?.kind != .list, !key.notification.isSnooze else { return self }
        let wanted = hold?.kind == .hours ? hold?.wanted ?? due : due
        let moment = max(wanted, now)
        guard let hours, let obstacle = hours.obstacle(at: moment) else {
            guard hold?.kind == .hours else { return self }
            return held(nil, until: wanted, reason: "")
        }
        let opening = hours.hours.opening(from: moment, in: hours.zone)
        // What the flood guard holds is still its own when it waits for the morning.
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

    /// "08:00" where that is the next such time, else with its day: "Mon 09:00", "2 Jan 09:00".
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
    /// Whether somebody may set out in vain who does not hear of it in time.
    var isCritical: Bool {
        switch self {
        case .change, .cancellation: true
        case .invitation, .reminder, .nudge, .message, .answer, .proposal, .refusal, .link, .digest,
            .alarm:
            false
        }
    }
}

extension NotificationKey {
    /// What the mark of a reminder begins with that somebody asked for once more.
    static let snoozeMark = "snooze "

    /// Whether it is a reminder that somebody asked for once more, at a time of their choice.
    public var isSnooze: Bool { kind == .reminder && mark.hasPrefix(Self.snoozeMark) }
}
