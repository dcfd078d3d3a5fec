public import Timekeeping

/// The retry schedule of a channel.
public struct RetrySchedule: Equatable, Sendable {
    /// The waits before the second attempt, the third and so on, in seconds. After the last one,
    /// the delivery fails.
    public let delaysSeconds: [Int]
    /// The wait before an ambiguous delivery is sent again, in seconds.
    public let resendSeconds: Int
    /// True if a retry is never earlier than the schedule says, even if the receiver asks for a
    /// shorter wait. Otherwise many short waits would use up attempts that are meant to last for
    /// days.
    public let isPatient: Bool

    /// Creates a schedule of retries from its waits, in seconds.
    public init(delaysSeconds: [Int], resendSeconds: Int, isPatient: Bool = false) {
        self.delaysSeconds = delaysSeconds
        self.resendSeconds = resendSeconds
        self.isPatient = isPatient
    }

    /// The schedule of standard output. It fails if its reader is gone or a disk is full; both are
    /// either over soon or permanent.
    public static let stdout = RetrySchedule(
        delaysSeconds: [1, 5, 30, 120, 600, 1800, 3600], resendSeconds: 0)

    /// The schedule of mail. A mail server that accepts nothing now may do so for a weekend, so
    /// attempts go on for 48 hours, with shorter waits at first (RFC 5321, section 4.5.4.1,
    /// requires longer waits from relays, but not from the sender).
    public static let mail = RetrySchedule(
        delaysSeconds: [60, 300, 900, 1800, 3600, 7200]
            + Array(repeating: 14_400, count: 11), resendSeconds: 60, isPatient: true)

    /// The schedule of webhooks, as Standard Webhooks proposes: five seconds at first, a day at the
    /// end.
    public static let webhook = RetrySchedule(
        delaysSeconds: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
        resendSeconds: 5)

    /// The schedule of a channel whose sink is disabled and cannot provide its own.
    public static func standard(for channel: String) -> RetrySchedule {
        switch channel {
        case "mail": .mail
        case "webhook": .webhook
        default: .stdout
        }
    }

    /// The wait after a number of counted attempts, with up to a fifth of jitter either way, so
    /// that deliveries that failed together are not retried together. `nil` if no attempt is left.
    func delayMilliseconds(
        afterAttempts attempts: Int, using generator: inout some RandomNumberGenerator
    ) -> Int64? {
        guard attempts >= 1, attempts <= delaysSeconds.count else { return nil }
        let delay = Int64(delaysSeconds[attempts - 1]) * 1000
        return delay + Int64.random(in: -delay / 5...delay / 5, using: &generator)
    }
}

/// The handling of a delivery that may or may not have arrived.
public enum AmbiguityPolicy: String, Codable, Sendable {
    /// Send it again under the same identity.
    case resend
    /// Hold it until a person decides.
    case park
}

/// The decision about a delivery after an attempt.
public struct Verdict: Equatable, Sendable {
    /// The next state of the delivery.
    public let state: DeliveryState
    /// The time of the next attempt, for `planned` and `ambiguous`.
    public let due: Moment?
    /// The reason, for people; empty if the delivery was accepted.
    public let reason: String

    /// The number of worker crashes after which a delivery is parked.
    public static let deathsMax = 3
    /// The wait before a delivery is tried again whose sink is not set up, in milliseconds.
    public static let misconfiguredWaitMilliseconds: Int64 = 60_000

    /// Creates a decision; `due` is the time of the next attempt, if there is one.
    public init(_ state: DeliveryState, due: Moment? = nil, reason: String = "") {
        self.state = state
        self.due = due
        self.reason = reason
    }
}

/// The circumstances that decide about a delivery after an attempt.
public struct AttemptCircumstances: Sendable {
    /// The attempts that count against the schedule, including this one.
    public var attempts: Int
    /// The number of times that this delivery has become ambiguous, including this time.
    public var ambiguities: Int
    /// The number of worker crashes during this delivery, including this one.
    public var deaths: Int
    /// The moment after which the delivery is useless.
    public var deadline: Moment
    /// The moment at which the attempt ended.
    public var now: Moment
    /// The moment before which the delivery is not due, in case the clock was set back meanwhile.
    public var earliest: Moment
    /// The retry schedule of the channel.
    public var schedule: RetrySchedule
    /// The ambiguity policy of the channel.
    public var policy: AmbiguityPolicy

    /// Creates the circumstances of an attempt.
    public init(
        attempts: Int, ambiguities: Int, deaths: Int = 0, deadline: Moment, now: Moment,
        earliest: Moment = .earliest, schedule: RetrySchedule, policy: AmbiguityPolicy
    ) {
        self.attempts = attempts
        self.ambiguities = ambiguities
        self.deaths = deaths
        self.deadline = deadline
        self.now = now
        self.earliest = earliest
        self.schedule = schedule
        self.policy = policy
    }
}

extension AttemptReport {
    /// Decides the next state of the delivery, such as accepted, failed or parked.
    public func verdict(
        in circumstances: AttemptCircumstances, using generator: inout some RandomNumberGenerator
    ) -> Verdict {
        switch outcome {
        case .accepted:
            Verdict(.accepted)
        case .permanent:
            Verdict(.failed, reason: reply.isEmpty ? "refused" : reply)
        case .misconfigured:
            Self.next(
                .planned, after: Verdict.misconfiguredWaitMilliseconds,
                reason: "\(obstacle): \(reply)", in: circumstances)
        case .retry:
            retried(in: circumstances, using: &generator)
        case .ambiguous:
            resolved(in: circumstances, using: &generator)
        }
    }

    /// The cause for which a sink sends nothing: its settings, or a server that refuses letsmeet
    /// with a reply code.
    private var obstacle: String {
        codeClass.hasSuffix("xx") ? "the other system refuses letsmeet" : "the sink is not set up"
    }

    private func retried(
        in circumstances: AttemptCircumstances, using generator: inout some RandomNumberGenerator
    ) -> Verdict {
        guard code != Self.heldCode else {
            return Verdict(
                .expired,
                reason: "its time passed before it could be sent: earlier deliveries took too long")
        }
        let delay = circumstances.schedule.delayMilliseconds(
            afterAttempts: circumstances.attempts, using: &generator)
        guard let delay else {
            return Verdict(
                .failed, reason: "gave up after \(circumstances.attempts) attempts: \(reply)")
        }
        guard let wish = wait(from: circumstances.now).map({ $0 * 1000 }) else {
            return Self.next(.planned, after: delay, reason: reply, in: circumstances)
        }
        // The retry is never before the requested time, and deliveries are spread over the time
        // after it, so that they do not all come at once. Close to the deadline, a retry soon after
        // the requested time is better than none.
        let room = circumstances.deadline.milliseconds(since: circumstances.now) - 1
        let asked = circumstances.schedule.isPatient && delay <= room ? max(wish, delay) : wish
        let longest = Int64(Self.retryAfterSecondsMax) * 1000
        let latest = max(asked, min(asked * 2, longest, room))
        return Self.next(
            .planned, after: Int64.random(in: asked...latest, using: &generator),
            mayComeEarlier: false, reason: reply, in: circumstances)
    }

    /// Decides about an ambiguous attempt. A worker that crashed may have crashed because of this
    /// delivery, so three crashes are enough. If the receiver gave no final answer, the delivery is
    /// retried as after any other failure.
    private func resolved(
        in circumstances: AttemptCircumstances, using generator: inout some RandomNumberGenerator
    ) -> Verdict {
        let reason = reply.isEmpty ? "no final answer came" : reply
        guard circumstances.deaths < Verdict.deathsMax, circumstances.policy == .resend else {
            return Verdict(.parked, reason: reason)
        }
        let isFirst = circumstances.ambiguities <= 1 || code == Self.deathCode
        let delay =
            isFirst
            ? Int64(circumstances.schedule.resendSeconds) * 1000
            : circumstances.schedule.delayMilliseconds(
                afterAttempts: circumstances.attempts, using: &generator)
        guard let delay else {
            return Verdict(
                .parked, reason: "gave up after \(circumstances.attempts) attempts: \(reason)")
        }
        return Self.next(.ambiguous, after: delay, reason: reason, in: circumstances)
    }

    /// Plans the next attempt. If it would come too late, it is made halfway to the deadline
    /// instead, unless the receiver asked for the wait, or no time is left.
    private static func next(
        _ state: DeliveryState, after milliseconds: Int64, mayComeEarlier: Bool = true,
        reason: String, in circumstances: AttemptCircumstances
    ) -> Verdict {
        let room = circumstances.deadline.milliseconds(since: circumstances.now)
        let isHurried = mayComeEarlier && milliseconds >= room && room >= hurriedRoomMilliseconds
        let wait = isHurried ? room / 2 : milliseconds
        let due = max(circumstances.earliest, circumstances.now.advanced(byMilliseconds: wait))
        guard due < circumstances.deadline else {
            return Verdict(.expired, reason: "there is no time for another attempt: \(reason)")
        }
        return Verdict(state, due: due, reason: reason)
    }

    /// The remaining time, in milliseconds, that is enough for another attempt.
    private static let hurriedRoomMilliseconds: Int64 = 2000
}
