import Foundation
public import Planning

extension Machine {
    /// The real clock and real chance: taken here, where the programs begin, and passed down.
    public static var real: Machine {
        let start = SuspendingClock.now
        return Machine(
            clock: SystemClock(), chance: Chance(SystemRandomNumberGenerator()),
            uptime: { start.duration(to: SuspendingClock.now) }, gauge: SystemClockGauge(),
            boot: boot)
    }

    /// Linux gives each start of a machine a random name (random(4)).
    private static var boot: String? {
        let text = try? String(
            contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
