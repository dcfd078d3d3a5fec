import Dispatch
import Foundation
import Glibc
import NIOCore
import Synchronization

/// Runs the tasks of requests on threads of their own, so that other work of the process, such as
/// sending a reminder, never waits behind them.
///
/// The threads have a lower priority (`setpriority(2)`, where Linux takes a thread for a process).
/// Reading the database blocks them; they are fewer than the readers of a store, so that a reader
/// is left for deliveries.
final class PageExecutor: TaskExecutor {
    /// The executor of all servers of the process. Its threads start with the first request. There
    /// is one more than the pages and feeds of a person can use at a time.
    static let shared = PageExecutor(threads: 4)

    /// Added to the nice value of the process.
    private static let niceness: CInt = 5

    private let jobs = Mutex(CircularBuffer<UnownedJob>())
    private let waiting = DispatchSemaphore(value: 0)

    private init(threads: Int) {
        for _ in 0..<threads { Thread.detachNewThread { self.work() } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        waiting.signal()
    }

    private func work() {
        let thread = CInt(PRIO_PROCESS.rawValue)
        setpriority(thread, 0, getpriority(thread, 0) + Self.niceness)
        while true {
            waiting.wait()
            jobs.withLock { $0.popFirst() }?.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

extension EventLoopPromise where Value: Sendable {
    /// Completes the promise with the value of a task on the executor of the pages.
    ///
    /// - Returns: the task, which can be cancelled.
    @discardableResult
    func completeWithPageTask(_ body: @escaping @Sendable () async -> Value) -> Task<Void, Never> {
        Task(executorPreference: PageExecutor.shared) { self.succeed(await body()) }
    }
}
