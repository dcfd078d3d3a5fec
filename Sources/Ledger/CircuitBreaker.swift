public import Timekeeping

/// Keeps a sick destination from being tried over and over (Nygard, Release It!, 2007).
///
/// Closed, all goes through. After ``failuresMax`` failures in a row, or at once where the sink is
/// not set up, it opens: nothing goes through for a while, and no delivery is charged an attempt.
/// Then it is half-open: one delivery goes as a probe. A probe that gets an answer closes it, one
/// that does not opens it again, for twice as long.
public struct CircuitBreaker: Equatable, Sendable {
    /// How many failures in a row open it.
    public static let failuresMax = 5
    /// How long it is open the first time, in milliseconds.
    static let openMilliseconds: Int64 = 30_000
    /// How long it is open at most, jitter apart, in milliseconds.
    static let openMillisecondsMax: Int64 = 600_000

    /// What may go through.
    public enum Permit: Equatable, Sendable {
        /// Whatever there is.
        case all
        /// One, to see whether the destination is well again.
        case probe
        /// Nothing before a moment.
        case none(until: Moment)
    }

    private enum State: Equatable {
        case closed
        /// Half-open once that moment has come.
        case open(since: Moment, until: Moment)
    }

    private var state = State.closed
    private var failuresInARow = 0
    private var tripsInARow = 0
    /// What the destination, or the sink, said last; empty while it is closed.
    public private(set) var reason = ""

    /// A closed one.
    public init() {}

    /// Whether nothing is wrong.
    public var isClosed: Bool { state == .closed }
    /// When it was opened, and until when; `nil` of a closed one.
    public var opening: ClosedRange<Moment>? {
        guard case .open(let since, let until) = state else { return nil }
        return since...max(since, until)
    }

    /// What may go through at a moment.
    public func permit(now: Moment) -> Permit {
        switch state {
        case .closed: .all
        // It was opened by the clock of then: one that was set back must not keep it open.
        case .open(let since, let until): now >= until || now < since ? .probe : .none(until: until)
        }
    }

    /// Hears how an attempt went. What ends after the breaker has opened changes nothing, unless
    /// it is good news.
    public mutating func hear(
        _ report: AttemptReport, now: Moment, using generator: inout some RandomNumberGenerator
    ) {
        switch report.destinationHealth {
        case .unknown:
            break
        case .well:
            self = CircuitBreaker()
        case .sick:
            failuresInARow += 1
            guard mayOpen(at: now), failuresInARow >= Self.failuresMax || tripsInARow > 0 else {
                return
            }
            let asked = Int64(report.retryAfterSeconds ?? 0) * 1000
            let length = Self.openMilliseconds << min(tripsInARow, 5)
            open(
                for: max(min(length, Self.openMillisecondsMax), asked), because: report, now: now,
                using: &generator)
        case .misconfigured:
            guard mayOpen(at: now) else { return }
            open(
                for: Verdict.misconfiguredWaitMilliseconds, because: report, now: now,
                using: &generator)
        }
    }

    /// The clock was set back: what was opened by one that was ahead is half-open from now on, and
    /// not open again once the time of then has come.
    public mutating func turnBack(to now: Moment) {
        guard case .open(let since, _) = state, now < since else { return }
        state = .open(since: now, until: now)
    }

    private func mayOpen(at now: Moment) -> Bool {
        switch permit(now: now) {
        case .all, .probe: true
        case .none: false
        }
    }

    private mutating func open(
        for milliseconds: Int64, because report: AttemptReport, now: Moment,
        using generator: inout some RandomNumberGenerator
    ) {
        let jitter = Int64.random(in: 0...milliseconds / 5, using: &generator)
        state = .open(since: now, until: now.advanced(byMilliseconds: milliseconds + jitter))
        tripsInARow += 1
        reason = report.reply
    }
}

/// What an attempt tells of the destination, whatever it means for the delivery.
public enum DestinationHealth: Sendable {
    /// It answered.
    case well
    /// It cannot be reached, or takes nothing now.
    case sick
    /// The way to it is not set up.
    case misconfigured
    /// It was not asked.
    case unknown
}

extension AttemptReport {
    /// What this attempt tells of its destination.
    public var destinationHealth: DestinationHealth {
        switch outcome {
        case _ where code == Self.heldCode || code == Self.shutdownCode: .unknown
        case .accepted, .permanent: .well
        case .retry, .ambiguous: concernsReceiverOnly ? .well : .sick
        case .misconfigured: .misconfigured
        }
    }
}
