import Foundation
public import Planning
public import Timekeeping

/// The clock of the machine.
public struct SystemClock: WallClock {
    /// Makes a clock.
    public init() {}

    /// The current time of this machine, to the millisecond.
    public var now: Moment {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Moment(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Sleeps until the clock shows `deadline`, or until the time that remained at the start has
    /// passed: setting the clock back does not prolong the sleep.
    public func sleep(until deadline: Moment) async throws(CancellationError) {
        guard deadline > now else { return }
        await Self.dormitory.sleep(until: deadline)
        guard !Task.isCancelled else { throw CancellationError() }
    }

    private static let dormitory = PollingSleeper()
}

extension Machine {
    /// The real clock and random source. Programs create it at their start and pass it down.
    public static var real: Machine {
        let start = SuspendingClock.now
        return Machine(
            clock: SystemClock(), chance: Chance(SystemRandomNumberGenerator()),
            uptime: { start.duration(to: SuspendingClock.now) }, gauge: SystemClockGauge(),
            boot: boot)
    }

    /// The random id that Linux gives each boot of the machine (random(4)).
    private static var boot: String? {
        let text = try? String(
            contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
