public import Timekeeping

/// When a channel tries again, and how often.
public struct RetrySchedule: Equatable, Sendable {
    /// The waits before the second attempt, the third and so on, in seconds. When they are spent,
    /// so is the delivery.
    public let delaysSeconds: [Int]
    /// The wait before an ambiguous delivery is sent again, in seconds.
    public let resendSeconds: Int
    /// Whether who asks to be left alone for less than the next wait is left alone for that long:
    /// else many small wishes would spend the waits that are meant for days.
    public let isPatient: Bool

    /// Makes a schedule of these waits.
    public init(delaysSeconds: [Int], resendSeconds: Int, isPatient: Bool = false) {
        self.delaysSeconds = delaysSeconds
        self.resendSeconds = resendSeconds
        self.isPatient = isPatient
    }

    /// Standard output fails when its reader is gone or a disk is full: both pass quickly or stay.
    public static let stdout = RetrySchedule(
        delaysSeconds: [1, 5, 30, 120, 600, 1800, 3600], resendSeconds: 0)

    /// A mail server that takes nothing now may do so for a weekend: for 48 hours, closer at first
    /// (RFC 5321, section 4.5.4.1, wants longer waits of who relays mail, not of who sends it).
    public static let mail = RetrySchedule(
        delaysSeconds: [60, 300, 900, 1800, 3600, 7200]
            + Array(repeating: 14_400, count: 11), resendSeconds: 60, isPatient: true)

    /// As Standard Webhooks proposes: five seconds at first, a day at last.
    public static let webhook = RetrySchedule(
        delaysSeconds: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
        resendSeconds: 5)

    /// The schedule of a channel whose sink is not on, and so cannot say it.
    public static func standard(for channel: String) -> RetrySchedule {
        switch channel {
        case "mail": .mail
        case "webhook": .webhook
        default: .stdout
        }
    }

    /// The wait after so many counted attempts, with up to a fifth of jitter either way, so that
    /// deliveries that failed together are not retried together. `nil` when no attempt is left.
    func delayMilliseconds(
        afterAttempts attempts: Int, using generator: inout some RandomNumberGenerator
    ) -> Int64? {
        guard attempts >= 1, attempts <= delaysSeconds.count else { return nil }
        let delay = Int64(delaysSeconds[attempts - 1]) * 1000
        return delay + Int64.random(in: -delay / 5...delay / 5, using: &generator)
    }
}

/// What to do with a delivery whose send may or may not have arrived.
public enum AmbiguityPolicy: String, Codable, Sendable {
    /// Send it again under the same identity.
    case resend
    /// Hold it until somebody decides.
    case park
}

/// What becomes of a delivery after an attempt.
public struct Verdict: Equatable, Sendable {
    /// Its next state.
    public let state: DeliveryState
    /// When to try again, for `planned` and `ambiguous`.
    public let due: Moment?
    /// Why, for people; empty when it was accepted.
    public let reason: String

    /// How often a delivery may take its worker down with it before it is parked.
    public static let deathsMax = 3
    /// How long a delivery waits for its sink to be set right, in milliseconds, before it looks
    /// again.
    public static let misconfiguredWaitMilliseconds: Int64 = 60_000

    /// Decides; `due` says when to try again, where it is to be tried again.
    public init(_ state: DeliveryState, due: Moment? = nil, reason: String = "") {
        self.state = state
        self.due = due
        self.reason = reason
    }
}

/// The circumstances in which an attempt is judged.
public struct AttemptCircumstances: Sendable {
    /// Attempts that count against the schedule, this one included.
    public var attempts: Int
    /// How often this delivery has become ambiguous, this time included.
    public var ambiguities: Int
    /// How often a worker died under it, this time included.
    public var deaths: Int
    /// After this moment it is of no use.
    public var deadline: Moment
    /// When the attempt ended.
    public var now: Moment
    /// Before this moment it is not due, should the clock have been set back meanwhile.
    public var earliest: Moment
    /// The channel's schedule.
    public var schedule: RetrySchedule
    /// The channel's policy.
    public var policy: AmbiguityPolicy

    /// States the circumstances of an attempt.
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
    /// Decides what becomes of the delivery: accepted, tried again, given up, or held.
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
                reason: "the sink is not set up: \(reply)", in: circumstances)
        case .retry:
            retried(in: circumstances, using: &generator)
        case .ambiguous:
            resolved(in: circumstances, using: &generator)
        }
    }

    private func retried(
        in circumstances: AttemptCircumstances, using generator: inout some RandomNumberGenerator
    ) -> Verdict {
        guard code != Self.heldCode else {
            return Verdict(
                .expired,
                reason: "its time passed before it could be sent: what went before it took long")
        }
        let delay = circumstances.schedule.delayMilliseconds(
            afterAttempts: circumstances.attempts, using: &generator)
        guard let delay else {
            return Verdict(
                .failed, reason: "gave up after \(circumstances.attempts) attempts: \(reply)")
        }
        guard let wish = retryAfterSeconds.map({ Int64($0) * 1000 }) else {
            return Self.next(.planned, after: delay, reason: reply, in: circumstances)
        }
        // Neither before the time that was asked for, nor all at that very time; and rather a
        // little early after it than never.
        let room = circumstances.deadline.milliseconds(since: circumstances.now) - 1
        let asked = circumstances.schedule.isPatient && delay <= room ? max(wish, delay) : wish
        let longest = Int64(Self.retryAfterSecondsMax) * 1000
        let latest = max(asked, min(asked * 2, longest, room))
        return Self.next(
            .planned, after: Int64.random(in: asked...latest, using: &generator),
            mayComeEarlier: false, reason: reply, in: circumstances)
    }

    /// A worker that died under it may have died of it: three times are enough. A receiver that
    /// did not say how it ended is asked again as after any failure.
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

    /// A next try that would come too late is no try. It comes halfway to the deadline instead,
    /// unless somebody asked for the wait, or no time is left.
    private static func next(
        _ state: DeliveryState, after milliseconds: Int64, mayComeEarlier: Bool = true,
        reason: String, in circumstances: AttemptCircumstances
    ) -> Verdict {
        let room = circumstances.deadline.milliseconds(since: circumstances.now)
        let isHurried = mayComeEarlier && milliseconds >= room && room >= hurriedRoomMilliseconds
        let wait = isHurried ? room / 2 : milliseconds
        let due = max(circumstances.earliest, circumstances.now.advanced(byMilliseconds: wait))
        guard due < circumstances.deadline else {
            return Verdict(.expired, reason: "there is no time for another try: \(reason)")
        }
        return Verdict(state, due: due, reason: reason)
    }

    /// As long as so much time is left, another try is made.
    private static let hurriedRoomMilliseconds: Int64 = 2000
}
