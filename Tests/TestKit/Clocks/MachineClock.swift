public import Timekeeping

/// The machine's clock, for tests that time network traffic.
public struct MachineClock: WallClock {
    private static let start = ContinuousClock.now

    /// Creates a clock.
    public init() {}

    /// The time since this process started, counted from 1970.
    public var now: Moment {
        let (seconds, attoseconds) = (ContinuousClock.now - Self.start).components
        return Moment(seconds: seconds)
            .advanced(byMilliseconds: attoseconds / 1_000_000_000_000_000)
    }

    /// Sleeps until a moment.
    public func sleep(until deadline: Moment) async throws(CancellationError) {
        do {
            try await Task.sleep(for: .milliseconds(max(0, deadline.milliseconds(since: now))))
        } catch {
            throw CancellationError()
        }
    }
}
