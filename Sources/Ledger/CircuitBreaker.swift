public import Timekeeping

/// A circuit breaker that pauses deliveries to a failing destination (Nygard, Release It!, 2007).
///
/// While it is closed, everything passes. It opens after ``failuresMax`` failures in a row, or at
/// once if the sink is not set up. While it is open, nothing passes, and no attempt is counted
/// against a delivery. Then it is half-open: one delivery passes as a probe. A probe that gets an
/// answer closes it; one that does not opens it again, for twice as long.
public struct CircuitBreaker: Equatable, Sendable {
    /// The number of failures in a row that open it.
    public static let failuresMax = 5
    /// The duration of the first opening, in milliseconds.
    static let openMilliseconds: Int64 = 30_000
    /// The maximum duration of an opening without jitter, in milliseconds.
    static let openMillisecondsMax: Int64 = 600_000

    /// The deliveries that may pass.
    public enum Permit: Equatable, Sendable {
        /// All deliveries.
        case all
        /// One delivery, to check whether the destination works again.
        case probe
        /// No delivery before a moment.
        case none(until: Moment)
    }

    private enum State: Equatable {
        case closed
        /// Open; half-open from `until` on.
        case open(since: Moment, until: Moment)
    }

    private var state = State.closed
    private var failuresInARow = 0
    private var tripsInARow = 0
    /// The last reply of the destination, or of the sink; empty while it is closed.
    public private(set) var reason = ""

    /// Creates a closed circuit breaker.
    public init() {}

    /// True if it is closed.
    public var isClosed: Bool { state == .closed }
    /// The time from its opening to its end; `nil` if it is closed.
    public var opening: ClosedRange<Moment>? {
        guard case .open(let since, let until) = state else { return nil }
        return since...max(since, until)
    }

    /// The deliveries that may pass at a moment.
    public func permit(now: Moment) -> Permit {
        switch state {
        case .closed: .all
        // If the clock was set back since the opening, the breaker must not stay open for too long.
        case .open(let since, let until): now >= until || now < since ? .probe : .none(until: until)
        }
    }

    /// Records the result of an attempt. A result that arrives after the breaker has opened changes
    /// nothing, unless the destination answered.
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
            let asked = (report.wait(from: now) ?? 0) * 1000
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

    /// Handles a clock that was set back. A breaker that was opened while the clock was ahead is
    /// half-open from now on, and it does not open again when that time comes.
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

/// The state of a destination as an attempt shows it, whatever the outcome means for the delivery.
public enum DestinationHealth: Sendable {
    /// It answered.
    case well
    /// It cannot be reached, or accepts nothing now.
    case sick
    /// The sink for it is not set up.
    case misconfigured
    /// It was not contacted.
    case unknown
}

extension AttemptReport {
    /// The state of the destination that this attempt shows.
    public var destinationHealth: DestinationHealth {
        switch outcome {
        case _ where code == Self.heldCode || code == Self.shutdownCode: .unknown
        case .accepted, .permanent: .well
        case .retry, .ambiguous: concernsReceiverOnly ? .well : .sick
        case .misconfigured: .misconfigured
        }
    }
}
