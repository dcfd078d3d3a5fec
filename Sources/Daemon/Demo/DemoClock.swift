import Foundation
import Synchronization
import Timekeeping

/// The clock of a demo: it runs like the machine's clock, and can be moved.
final class DemoClock: WallClock, ClockGauge {
    private struct State {
        var aheadMilliseconds: Int64 = 0
        var sleepers: [Int: WakeSignal] = [:]
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var count = 0
    }

    private let real: any WallClock
    private let gauge: (any ClockGauge)?
    private let state = Mutex(State())

    /// A clock that begins at the time of the machine.
    ///
    /// - Parameters:
    ///   - real: the clock of the machine.
    ///   - gauge: the other clocks of the machine.
    init(_ real: any WallClock, _ gauge: (any ClockGauge)?) {
        self.real = real
        self.gauge = gauge
    }

    var now: Moment {
        real.now.advanced(byMilliseconds: state.withLock { $0.aheadMilliseconds })
    }

    /// Moves the clock, and wakes all who wait for a time.
    func set(to moment: Moment) {
        let (sleepers, listeners) = state.withLock { state in
            state.aheadMilliseconds = moment.milliseconds(since: real.now)
            return (Array(state.sleepers.values), Array(state.listeners.values))
        }
        for sleeper in sleepers { sleeper.wake() }
        for listener in listeners { listener.yield() }
    }

    func sleep(until deadline: Moment) async throws(CancellationError) {
        let signal = WakeSignal()
        let number = state.withLock { state in
            state.count += 1
            state.sleepers[state.count] = signal
            return state.count
        }
        defer { state.withLock { $0.sleepers[number] = nil } }
        while now < deadline {
            guard !Task.isCancelled else { throw CancellationError() }
            let ahead = state.withLock { $0.aheadMilliseconds }
            await signal.wait(until: deadline.advanced(byMilliseconds: -ahead), on: real)
        }
    }

    var reading: ClockReading {
        let known = gauge?.reading
        return ClockReading(
            wall: now, elapsed: known?.elapsed ?? .zero, awake: known?.awake ?? .zero)
    }

    func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.count += 1
            state.listeners[state.count] = continuation
            return state.count
        }
        continuation.onTermination = { _ in
            self.state.withLock { $0.listeners[number] = nil }
        }
        return stream
    }
}
