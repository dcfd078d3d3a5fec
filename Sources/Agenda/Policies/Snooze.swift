public import Timekeeping

/// A further reminder that somebody asked for, at a time of their choice.
public struct Snooze: Equatable, Sendable {
    /// How long it is put off unless somebody says otherwise: 10 minutes.
    public static let spanDefault = TimeSpan(days: 0, seconds: 600)

    /// When they want to be reminded.
    public let due: Moment
    /// The start of which: it is void when the meeting moves.
    public let startsAt: Moment

    /// Asks for a reminder of a start.
    ///
    /// - Throws: ``RuleViolation`` with `snooze_too_late` or `snooze_in_past`.
    public init(until due: Moment, of startsAt: Moment, now: Moment) throws(RuleViolation) {
        guard due > now else {
            throw RuleViolation(
                code: "snooze_in_past", message: "That time has passed. Give one that lies ahead.")
        }
        guard due < startsAt else {
            throw RuleViolation(
                code: "snooze_too_late",
                message: "That reminder would come when the meeting has begun. Give a shorter "
                    + "time, such as --for 5m.")
        }
        self.due = due
        self.startsAt = startsAt
    }

    /// Takes one that was asked for before, as read from the store.
    public init(due: Moment, startsAt: Moment) {
        self.due = due
        self.startsAt = startsAt
    }
}
