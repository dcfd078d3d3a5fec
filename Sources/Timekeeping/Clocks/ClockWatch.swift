/// What the clocks of a machine show at one moment.
public struct ClockReading: Equatable, Sendable {
    /// The time of day, which people and programs set.
    public let wall: Moment
    /// The time since some fixed start, on a clock that nobody sets and that counts on while the
    /// machine sleeps.
    public let elapsed: Duration
    /// The same, on a clock that stands still while the machine sleeps.
    public let awake: Duration

    /// A reading of all three at once.
    public init(wall: Moment, elapsed: Duration, awake: Duration) {
        self.wall = wall
        self.elapsed = elapsed
        self.awake = awake
    }
}

/// The clocks of a machine, and a signal when somebody sets one.
public protocol ClockGauge: Sendable {
    /// What they show now.
    var reading: ClockReading { get }
    /// A signal whenever the time of day was set or the machine has slept, until the listener goes
    /// away. It may come without a reason: who hears it looks at the clocks.
    func changes() -> AsyncStream<Void>
}

/// What happened to the clocks of a machine between two looks at them.
public enum ClockChange: Equatable, Sendable {
    /// The machine slept for so many milliseconds, and with it all that runs on it.
    case slept(milliseconds: Int64)
    /// Nobody looked for so many milliseconds although the machine was awake: the process was
    /// stopped, or the machine had no time for it.
    case stoodStill(milliseconds: Int64)
    /// The time of day was set back by so many milliseconds.
    case setBack(milliseconds: Int64)
    /// The time of day was set forward by so many milliseconds.
    case setForward(milliseconds: Int64)
    /// The time of day was set forward by so many milliseconds, so far that it had been wrong
    /// before: what the step passed over was never lived through.
    case corrected(milliseconds: Int64)
}

/// Finds out what happened to the clocks of a machine: one that is set moves against those that
/// nobody sets.
///
/// ```swift
/// var watch = ClockWatch(gauge.reading)
/// watch.look(gauge.reading) == [.setForward(milliseconds: 7_200_000)]
/// ```
///
/// Each look is held against the one before, so a clock that runs a little fast or slow never adds
/// up to a step.
public struct ClockWatch: Equatable, Sendable {
    /// Smaller steps than this, in milliseconds, are how clocks are kept right: a second.
    public static let stepMillisecondsMin: Int64 = 1000
    /// A step forward of so many milliseconds is a correction: three hours, after the rule of
    /// Vixie's cron.
    public static let correctionMillisecondsMin: Int64 = 3 * 3_600_000

    /// Who looks less often than after so many milliseconds stood still: every look is due after a
    /// minute at most.
    public static let lookMillisecondsMax: Int64 = 150_000

    private var last: ClockReading

    /// Looks for the first time.
    public init(_ reading: ClockReading) {
        last = reading
    }

    /// Looks again.
    ///
    /// - Returns: what happened since the last look: a sleep, a standstill, a step, in this order,
    ///   or nothing.
    public mutating func look(_ reading: ClockReading) -> [ClockChange] {
        defer { last = reading }
        let elapsed = (reading.elapsed - last.elapsed).milliseconds
        let awake = (reading.awake - last.awake).milliseconds
        let slept = elapsed.subtractingSaturated(awake)
        let step = reading.wall.milliseconds(since: last.wall).subtractingSaturated(elapsed)
        var changes: [ClockChange] = []
        if slept >= Self.stepMillisecondsMin { changes.append(.slept(milliseconds: slept)) }
        if awake >= Self.lookMillisecondsMax { changes.append(.stoodStill(milliseconds: awake)) }
        if let change = ClockChange(step: step) { changes.append(change) }
        return changes
    }
}

extension ClockChange {
    /// What a step of so many milliseconds is; `nil` where it is none.
    fileprivate init?(step: Int64) {
        if step <= -ClockWatch.stepMillisecondsMin {
            self = .setBack(milliseconds: Int64(0).subtractingSaturated(step))
        } else if step >= ClockWatch.correctionMillisecondsMin {
            self = .corrected(milliseconds: step)
        } else if step >= ClockWatch.stepMillisecondsMin {
            self = .setForward(milliseconds: step)
        } else {
            return nil
        }
    }
}

extension Duration {
    /// Whole milliseconds.
    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds.multipliedSaturated(by: 1000)
            .addingSaturated(attoseconds / 1_000_000_000_000_000)
    }
}
