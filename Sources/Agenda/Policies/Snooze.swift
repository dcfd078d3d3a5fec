public import Timekeeping

/// An additional reminder that a person requested for a time of their choice.
public struct Snooze: Equatable, Sendable {
    /// The default delay: 10 minutes.
    public static let spanDefault = TimeSpan(days: 0, seconds: 600)

    /// The time of the reminder.
    public let due: Moment
    /// The start of the meeting. If the meeting moves, the snooze is void.
    public let startsAt: Moment

    /// Requests a reminder for a start.
    ///
    /// - Throws: ``RuleViolation`` with `snooze_too_late` or `snooze_in_past`.
    public init(until due: Moment, of startsAt: Moment, now: Moment) throws(RuleViolation) {
        guard due > now else {
            throw RuleViolation(
                code: "snooze_in_past",
                message: "That time has passed. Give a time in the future.")
        }
        guard due < startsAt else {
            throw RuleViolation(
                code: "snooze_too_late",
                message: "That reminder would come after the meeting starts. Choose a shorter "
                    + "time, such as 5m.")
        }
        self.due = due
        self.startsAt = startsAt
    }

    /// Restores a snooze from the store, without checks.
    public init(due: Moment, startsAt: Moment) {
        self.due = due
        self.startsAt = startsAt
    }
}
