import CClock
import Dispatch
import Glibc
public import Timekeeping

/// The clocks of the machine. The kernel signals when the time of day is set and when the machine
/// wakes up, through a timer that never expires (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET), so
/// nothing is polled.
public struct SystemClockGauge: ClockGauge {
    private let start = ContinuousClock.now
    private let startAwake = SuspendingClock.now

    /// Makes a gauge that counts from now on.
    public init() {}

    /// The current readings of the clocks.
    public var reading: ClockReading {
        ClockReading(
            wall: SystemClock().now, elapsed: start.duration(to: .now),
            awake: startAwake.duration(to: .now))
    }

    /// A signal each time the time of day is set or the machine wakes up. If the system has no
    /// timers left, there are no signals, so listeners also check from time to time.
    public func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let timer = timerfd_create(CLOCK_REALTIME, CInt(TFD_NONBLOCK) | CInt(TFD_CLOEXEC))
        guard timer >= 0 else { return stream }
        Self.arm(timer)
        // Once it runs it is only cancelled, which is allowed on any thread.
        nonisolated(unsafe) let source = DispatchSource.makeReadSource(
            fileDescriptor: timer, queue: DispatchQueue(label: "letsmeet.clock-gauge"))
        source.setEventHandler { @Sendable in
            // Reading reports that the timer was cancelled (ECANCELED) and resets it.
            var expirations: UInt64 = 0
            _ = read(timer, &expirations, MemoryLayout<UInt64>.size)
            Self.arm(timer)
            continuation.yield()
        }
        source.setCancelHandler { @Sendable in close(timer) }
        continuation.onTermination = { @Sendable _ in source.cancel() }
        source.resume()
        return stream
    }

    /// Sets a timer to expire in the year 2262, or as soon as the time of day is set.
    private static func arm(_ timer: CInt) {
        var end = itimerspec()
        end.it_value.tv_sec = secondsOfEnd
        timerfd_settime(timer, CInt(TFD_TIMER_ABSTIME) | CInt(TFD_TIMER_CANCEL_ON_SET), &end, nil)
    }

    /// The latest second that fits, since the kernel counts nanoseconds in 63 bits.
    private static let secondsOfEnd = Int(Int64.max / 1_000_000_000)
}
