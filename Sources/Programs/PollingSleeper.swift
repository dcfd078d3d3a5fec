import Foundation
import Glibc
import Synchronization
import Timekeeping

/// Wakes those who sleep in time, from one thread that waits in poll(2).
///
/// Swift's own sleep waits for a timer of the system (timerfd), which under libfaketime never goes
/// off. Under it, a wait in poll(2) ends when the clock that it shows has come so far.
final class PollingSleeper: Sendable {
    private struct Sleeper {
        /// When the clock on the wall shows it is time.
        let deadline: Moment
        /// When the time has passed, by a clock that nobody sets, in milliseconds.
        let end: Int64
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var sleepers: [UInt64: Sleeper] = [:]
        /// Those who were told to wake before they slept.
        var restless: Set<UInt64> = []
        var lastNumber: UInt64 = 0
        /// Until when the thread waits, by the clock that nobody sets; `nil` before it is started.
        var waitsUntil: Int64?
    }

    private let state = Mutex(State())
    /// A pipe that ends the thread's wait.
    private let bell: (hears: CInt, rings: CInt)
    /// The thread looks at its sleepers at least so often, in milliseconds.
    private let waitMillisecondsMax: Int64

    init() {
        var ends: [CInt] = [-1, -1]
        let isMade = pipe(&ends) == 0
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        bell = (ends[0], ends[1])
        // Where no file can be opened any more, it has to look by itself.
        waitMillisecondsMax = isMade ? 3_600_000 : 20
    }

    /// Sleeps until the clock shows `deadline`, or so much time has passed, or the task is
    /// cancelled.
    func sleep(until deadline: Moment) async {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { lieDown(number, until: deadline, $0) }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: number)
                if sleeper == nil { state.restless.insert(number) }
                return sleeper
            }
            sleeper?.continuation.resume()
        }
        _ = state.withLock { $0.restless.remove(number) }
    }

    private func lieDown(
        _ number: UInt64, until deadline: Moment, _ continuation: CheckedContinuation<Void, Never>
    ) {
        let wait = max(0, deadline.milliseconds(since: SystemClock().now))
        // One more, because a clock may be about to show the next millisecond.
        let end = Self.uptime() + wait + 1
        let (isAwake, isFirst, hasThread) = state.withLock { state in
            guard !state.restless.contains(number) else { return (true, false, true) }
            state.sleepers[number] = Sleeper(
                deadline: deadline, end: end, continuation: continuation)
            let waitsUntil = state.waitsUntil
            let isFirst = end < waitsUntil ?? .max
            if isFirst { state.waitsUntil = end }
            return (false, isFirst, waitsUntil != nil)
        }
        if isAwake { return continuation.resume() }
        if !hasThread {
            Thread.detachNewThread { self.watch() }
        } else if isFirst {
            ring()
        }
    }

    private func ring() {
        var ring: UInt8 = 0
        _ = write(bell.rings, &ring, 1)
    }

    /// What the thread does.
    private func watch() -> Never {
        while true {
            let wait = wakeWhoseTimeHasCome()
            var poller = pollfd(fd: bell.hears, events: Int16(POLLIN), revents: 0)
            if poll(&poller, 1, CInt(wait)) > 0 {
                var rings: UInt64 = 0
                _ = read(bell.hears, &rings, MemoryLayout<UInt64>.size)
            }
        }
    }

    /// Returns how long nobody else is to be woken, in milliseconds.
    private func wakeWhoseTimeHasCome() -> Int64 {
        let (now, uptime) = (SystemClock().now, Self.uptime())
        let (woken, wait) = state.withLock { state in
            let woken = state.sleepers.filter { $0.value.deadline <= now || $0.value.end <= uptime }
            for number in woken.keys { state.sleepers[number] = nil }
            let wait = state.sleepers.values.map { sleeper in
                min(sleeper.end - uptime, sleeper.deadline.milliseconds(since: now))
            }.reduce(waitMillisecondsMax, min)
            state.waitsUntil = uptime + wait
            return (woken, wait)
        }
        for sleeper in woken.values { sleeper.continuation.resume() }
        return wait
    }

    private static func uptime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
