/// A reading of all clocks of a machine at one moment.
public struct ClockReading: Equatable, Sendable {
    /// The time of day, which people and programs can set.
    public let wall: Moment
    /// The time since a fixed start, on a clock that nobody sets and that keeps running while the
    /// machine sleeps.
    public let elapsed: Duration
    /// The time since a fixed start, on a clock that nobody sets and that stops while the machine
    /// sleeps.
    public let awake: Duration

    /// Creates a reading of all three clocks at once.
    public init(wall: Moment, elapsed: Duration, awake: Duration) {
        self.wall = wall
        self.elapsed = elapsed
        self.awake = awake
    }
}

/// The clocks of a machine, and a signal when somebody sets one.
public protocol ClockGauge: Sendable {
    /// The current reading.
    var reading: ClockReading { get }
    /// A signal whenever the time of day was set or the machine has slept, until the listener goes
    /// away. The signal may come without a reason, so the listener must read the clocks.
    func changes() -> AsyncStream<Void>
}

/// An event that a watch detects between two readings of the clocks of a machine.
public enum ClockChange: Equatable, Sendable {
    /// The machine, and everything that runs on it, slept for this many milliseconds.
    case slept(milliseconds: Int64)
    /// No reading was taken for this many milliseconds although the machine was awake: the process
    /// was stopped, or the machine was too busy to run it.
    case stoodStill(milliseconds: Int64)
    /// The time of day was set back by this many milliseconds.
    case setBack(milliseconds: Int64)
    /// The time of day was set forward by this many milliseconds.
    case setForward(milliseconds: Int64)
    /// The time of day was set forward by this many milliseconds, which is so far that it must have
    /// been wrong before. The skipped time never really passed.
    case corrected(milliseconds: Int64)
}

/// Detects clock steps, sleeps and standstills of a machine by comparing the clock that can be set
/// with the clocks that nobody sets.
///
/// ```swift
/// var watch = ClockWatch(gauge.reading)
/// watch.look(gauge.reading) == [.setForward(milliseconds: 7_200_000)]
/// ```
///
/// Each reading is compared with the previous one, so that a clock that runs slightly fast or slow
/// never adds up to a step.
public struct ClockWatch: Equatable, Sendable {
    /// The smallest step that counts, in milliseconds: one second. Smaller steps are ordinary clock
    /// synchronization.
    public static let stepMillisecondsMin: Int64 = 1000
    /// The smallest forward step that counts as a correction, in milliseconds: three hours, as in
    /// Vixie cron.
    public static let correctionMillisecondsMin: Int64 = 3 * 3_600_000

    /// The time without a reading that counts as a standstill, in milliseconds. Readings are due at
    /// least once a minute.
    public static let lookMillisecondsMax: Int64 = 150_000

    private var last: ClockReading

    /// Starts with a first reading.
    public init(_ reading: ClockReading) {
        last = reading
    }

    /// Compares a new reading with the previous one.
    ///
    /// - Returns: the events since the last reading, in this order: a sleep, a standstill, a step;
    ///   empty if nothing happened.
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
    /// Classifies a step in milliseconds; `nil` if it is too small to count.
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
