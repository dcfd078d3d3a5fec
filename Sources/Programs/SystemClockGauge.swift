import CClock
import Dispatch
import Glibc
public import Timekeeping

/// The machine's clocks. The kernel tells when the time of day is set and when the machine wakes
/// up, by a timer that never goes off (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET): nothing is
/// polled.
public struct SystemClockGauge: ClockGauge {
    private let start = ContinuousClock.now
    private let startAwake = SuspendingClock.now

    /// Counts from now on.
    public init() {}

    /// What the clocks show now.
    public var reading: ClockReading {
        ClockReading(
            wall: SystemClock().now, elapsed: start.duration(to: .now),
            awake: startAwake.duration(to: .now))
    }

    /// A signal for each time that the time of day is set, or the machine wakes up. There is none
    /// where the system has no timers left: whoever listens looks now and then unasked as well.
    public func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let timer = timerfd_create(CLOCK_REALTIME, CInt(TFD_NONBLOCK) | CInt(TFD_CLOEXEC))
        guard timer >= 0 else { return stream }
        Self.arm(timer)
        // Once it runs it is only cancelled, which any thread may do.
        nonisolated(unsafe) let source = DispatchSource.makeReadSource(
            fileDescriptor: timer, queue: DispatchQueue(label: "letsmeet.clock-gauge"))
        source.setEventHandler { @Sendable in
            // Reading tells that it was cancelled (ECANCELED) and makes it quiet again.
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

    /// Sets a timer to go off in the year 2262, or as soon as the time of day is set.
    private static func arm(_ timer: CInt) {
        var end = itimerspec()
        end.it_value.tv_sec = secondsOfEnd
        timerfd_settime(timer, CInt(TFD_TIMER_ABSTIME) | CInt(TFD_TIMER_CANCEL_ON_SET), &end, nil)
    }

    /// The kernel counts nanoseconds in 63 bits.
    private static let secondsOfEnd = Int(Int64.max / 1_000_000_000)
}
