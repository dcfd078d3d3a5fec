import Foundation
public import Timekeeping

/// The machine's clock.
public struct SystemClock: WallClock {
    /// Makes a clock.
    public init() {}

    /// The time of day of this machine, to the millisecond.
    public var now: Moment {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Moment(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Sleeps until the clock shows `deadline`.
    public func sleep(until deadline: Moment) async throws(CancellationError) {
        let wait = deadline.milliseconds(since: now)
        guard wait > 0 else { return }
        do {
            try await Task.sleep(for: .milliseconds(wait))
        } catch {
            throw CancellationError()
        }
    }
}
