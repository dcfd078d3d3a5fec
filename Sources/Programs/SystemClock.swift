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

    /// Sleeps until the clock shows `deadline`, or as long as that seemed to take: a clock that is
    /// set back meanwhile makes nobody sleep longer.
    public func sleep(until deadline: Moment) async throws(CancellationError) {
        guard deadline > now else { return }
        await Self.dormitory.sleep(until: deadline)
        guard !Task.isCancelled else { throw CancellationError() }
    }

    private static let dormitory = PollingSleeper()
}
