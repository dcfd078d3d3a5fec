import Foundation
import Programs
import Synchronization
import Testing
import Timekeeping

@Suite struct SystemClockGaugeTests {
    @Test func `Elapsed and awake time are those of the kernel`() {
        func elapsed(_ clock: clockid_t) -> Duration {
            var time = timespec()
            clock_gettime(clock, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        let gauge = SystemClockGauge()
        let before = (elapsed(CLOCK_BOOTTIME), elapsed(CLOCK_MONOTONIC), gauge.reading)
        let after = (elapsed(CLOCK_BOOTTIME), elapsed(CLOCK_MONOTONIC), gauge.reading)
        #expect(after.2.elapsed >= before.2.elapsed)
        #expect(after.2.elapsed - before.2.elapsed < after.0 - before.0 + .seconds(60))
        // The two differ by the time that the machine has slept since it started.
        let asleep = before.0 - before.1
        #expect(asleep >= .milliseconds(-1))
        #expect(abs(before.2.wall.milliseconds(since: SystemClock().now)) < 60_000)
    }

    /// Whether this process holds a kernel timer that is cancelled when the time of day is set.
    private static func holdsTimer() -> Bool {
        let folder = "/proc/self/fdinfo"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { name in
            let text = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
            // TFD_TIMER_ABSTIME and TFD_TIMER_CANCEL_ON_SET, in octal.
            return text.contains("clockid: 0") && text.contains("settime flags: 03")
        }
    }

    /// Waits until a condition holds. The time limit of the test ends the wait.
    private static func holdsLater(_ condition: () -> Bool) async -> Bool {
        while !condition() {
            guard !Task.isCancelled else { return false }
            await Task.yield()
        }
        return true
    }

    @Test(.timeLimit(.minutes(1)))
    func `The kernel reports clock changes only while somebody listens`() async {
        #expect(!Self.holdsTimer())
        let isEnded = Mutex(false)
        let listener = Task {
            for await _ in SystemClockGauge().changes() {}
            isEnded.withLock { $0 = true }
        }
        #expect(await Self.holdsLater { Self.holdsTimer() }, "no timer while somebody listens")
        listener.cancel()
        #expect(await Self.holdsLater { isEnded.withLock { $0 } }, "the changes do not end")
        #expect(await Self.holdsLater { !Self.holdsTimer() }, "a timer while nobody listens")
    }
}
