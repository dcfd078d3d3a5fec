import Foundation
import Glibc
import Synchronization
import Timekeeping

/// Wakes sleeping tasks at their time, using one thread that waits in poll(2).
///
/// Swift's own sleep uses a system timer (timerfd), which never fires under libfaketime. A wait in
/// poll(2), in contrast, ends when the faked clock reaches its time.
final class PollingSleeper: Sendable {
    private struct Sleeper {
        /// The wall-clock time at which to wake.
        let deadline: Moment
        /// The time at which to wake on the monotonic clock, in milliseconds.
        let end: Int64
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var sleepers: [UInt64: Sleeper] = [:]
        /// The sleepers that were cancelled before they fell asleep.
        var restless: Set<UInt64> = []
        var lastNumber: UInt64 = 0
        /// The monotonic time until which the thread waits; `nil` before the thread is started.
        var waitsUntil: Int64?
    }

    private let state = Mutex(State())
    /// A pipe whose write end interrupts the thread's wait.
    private let bell: (hears: CInt, rings: CInt)
    /// The longest wait of the thread, in milliseconds.
    private let waitMillisecondsMax: Int64

    init() {
        var ends: [CInt] = [-1, -1]
        let isMade = pipe(&ends) == 0
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        bell = (ends[0], ends[1])
        // If no pipe could be opened, the thread has to poll.
        waitMillisecondsMax = isMade ? 3_600_000 : 20
    }

    /// Sleeps until the clock shows `deadline`, or the time until then has passed, or the task is
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
        // One more millisecond, because the clock may be about to advance.
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

    /// The loop of the thread.
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

    /// Wakes the sleepers whose time has come.
    ///
    /// - Returns: the time until the next one has to be woken, in milliseconds.
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
