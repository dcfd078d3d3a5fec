public import Planning

extension Machine {
    /// The real clock and real chance: taken here, where the programs begin, and passed down.
    public static var real: Machine {
        let start = SuspendingClock.now
        return Machine(
            clock: SystemClock(), chance: Chance(SystemRandomNumberGenerator()),
            uptime: { start.duration(to: SuspendingClock.now) }, gauge: SystemClockGauge())
    }
}
