public import Timekeeping

/// A change of a meeting's time, and what it means for earlier answers.
///
/// An answer belongs to the time for which it was given. It also holds after a small move: by less
/// than the meeting's length, on the same day.
public struct MeetingMove: Sendable {
    /// The time before the change.
    public let before: MeetingTime
    /// The time after the change.
    public let after: MeetingTime
    /// The rules of the time zone in which days are compared.
    private let zone: Zone

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - before: the time before.
    ///   - after: the time after.
    ///   - zone: the rules of the meeting's time zone.
    public init(from before: MeetingTime, to after: MeetingTime, in zone: Zone) {
        self.before = before
        self.after = after
        self.zone = zone
    }

    /// True if the start changed. New rules of a time zone change the moment, but not the time that
    /// people agreed on.
    public var isMove: Bool {
        before.startsAt != after.startsAt
            && (before.start != after.start || before.zone != after.zone)
    }

    /// True if an answer that was given for a start does not hold for the new one.
    public func isLarge(from start: Moment) -> Bool {
        let distance = abs(after.startsAt.milliseconds(since: start))
        guard distance > 0 else { return false }
        return distance >= before.endsAt.milliseconds(since: before.startsAt)
            || zone.wallTime(at: start).date != zone.wallTime(at: after.startsAt).date
    }

    /// True if answers for the time before do not hold for the time after.
    public var isLarge: Bool { isMove && isLarge(from: before.startsAt) }
}
