import Synchronization
public import Timekeeping

/// The clocks of a machine that a test can set and put to sleep. The time of day comes from a
/// ``ManualClock``.
public final class ManualGauge: ClockGauge {
    private struct State {
        /// The time of day at which the elapsed time was zero.
        var origin: Moment
        var asleepMilliseconds: Int64 = 0
        var listeners: [AsyncStream<Void>.Continuation] = []
    }

    private let clock: ManualClock
    private let state: Mutex<State>

    /// Creates the clocks of a machine that has just started.
    public init(_ clock: ManualClock) {
        self.clock = clock
        state = Mutex(State(origin: clock.now))
    }

    /// The readings of the clocks. Moving the ``ManualClock`` lets time pass on all of them.
    public var reading: ClockReading {
        state.withLock { state in
            let elapsed = clock.now.milliseconds(since: state.origin)
            return ClockReading(
                wall: clock.now, elapsed: .milliseconds(elapsed),
                awake: .milliseconds(elapsed - state.asleepMilliseconds))
        }
    }

    /// A signal for each ``set(bySeconds:)`` and ``sleep(seconds:)``.
    public func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        state.withLock { $0.listeners.append(continuation) }
        return stream
    }

    /// Sets the time of day without letting time pass.
    public func set(bySeconds seconds: Int64) {
        // Nothing reads the clocks between the two changes.
        state.withLock { state in
            state.origin = state.origin.advanced(bySeconds: seconds)
            clock.advance(bySeconds: seconds)
        }
        signal()
    }

    /// Lets the machine sleep for some seconds.
    public func sleep(seconds: Int64) {
        state.withLock { state in
            state.asleepMilliseconds += seconds * 1000
            clock.advance(bySeconds: seconds)
        }
        signal()
    }

    private func signal() {
        for listener in state.withLock(\.listeners) { listener.yield() }
    }
}
