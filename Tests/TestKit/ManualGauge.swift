import Synchronization
public import Timekeeping

/// The clocks of a machine that a test sets and puts to sleep; the time of day is that of a
/// ``ManualClock``.
public final class ManualGauge: ClockGauge {
    private struct State {
        /// What the clock shows besides the time that has passed.
        var origin: Moment
        var asleepMilliseconds: Int64 = 0
        var listeners: [AsyncStream<Void>.Continuation] = []
    }

    private let clock: ManualClock
    private let state: Mutex<State>

    /// No time has passed yet on the machine with this clock.
    public init(_ clock: ManualClock) {
        self.clock = clock
        state = Mutex(State(origin: clock.now))
    }

    /// What the clocks show: turning the ``ManualClock`` lets time pass on all of them.
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

    /// Sets the time of day: no time passes.
    public func set(bySeconds seconds: Int64) {
        // Nobody reads between the two.
        state.withLock { state in
            state.origin = state.origin.advanced(bySeconds: seconds)
            clock.advance(bySeconds: seconds)
        }
        signal()
    }

    /// Lets the machine sleep.
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
