import Ledger
import Planning
import Timekeeping

/// The limits of requests to other servers that a person causes by a press of a button: tests of
/// channels, and reading calendars. Without them, an account could flood a server of others.
struct OutsideTurns: Sendable {
    /// The longest wait for another server, in seconds. The connection to the browser is closed
    /// after 15 seconds.
    static let secondsMax = 10

    private let tests = Throttle(RateLimit(perSecond: 1.0 / 60, burst: 5))
    private let reads = Throttle(RateLimit(perSecond: 1.0 / 60, burst: 10))
    private let clock: any WallClock

    init(clock: any WallClock) { self.clock = clock }

    /// Counts a test of a channel by a person.
    ///
    /// - Throws: ``Refusal`` with `too_often`.
    func countTest(by person: String) throws(Refusal) {
        guard tests.lets(person, at: clock.now) else { throw PasswordTurns.tooOften }
    }

    /// Counts the reading of a calendar by a person.
    ///
    /// - Throws: ``Refusal`` with `too_often`.
    func countReading(by person: String) throws(Refusal) {
        guard reads.lets(person, at: clock.now) else { throw PasswordTurns.tooOften }
    }
}
