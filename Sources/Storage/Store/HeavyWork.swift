import CMemory
import Foundation
import Glibc
import Synchronization

/// Runs work that takes much memory and time: one piece after the other, on one thread of low
/// priority. So calendars of others, however large, neither delay deliveries nor add up in memory.
/// Small pieces have a thread of their own, and do not wait for large ones.
package final class HeavyWork: TaskExecutor {
    private static let shared = HeavyWork()
    private static let light = HeavyWork()
    /// Added to the nice value of the process.
    private static let niceness: CInt = 10

    private struct State {
        var isBusy = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let jobs = Mutex<[UnownedJob]>([])
    private let signal = DispatchSemaphore(value: 0)
    private let turns = Mutex(State())

    private init() { Thread.detachNewThread { self.work() } }

    /// Waits for its turn, runs the work, and gives its memory back to the system.
    ///
    /// - Parameters:
    ///   - isSmall: true if the work is surely short.
    ///   - body: the work.
    /// - Returns: its result.
    /// - Throws: its error.
    package static func run<Value: Sendable>(
        isSmall: Bool = false, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let lane = isSmall ? light : shared
        await lane.enter()
        defer { lane.leave() }
        return try await withTaskExecutorPreference(lane, operation: body)
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = turns.withLock { state in
                guard state.isBusy else {
                    state.isBusy = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        // The allocator keeps freed memory otherwise.
        malloc_trim(0)
        let next = turns.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isBusy = false
                return nil as CheckedContinuation<Void, Never>?
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        signal.signal()
    }

    private func work() {
        let thread = CInt(PRIO_PROCESS.rawValue)
        setpriority(thread, 0, getpriority(thread, 0) + Self.niceness)
        while true {
            signal.wait()
            jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
