import Dispatch
import Foundation
import Glibc
import Synchronization

/// Resumes tasks on the thread that completed the work they waited for. All other jobs run on a
/// global queue.
///
/// Waking another thread costs as much as a large part of short work, such as sending a mail to a
/// nearby server. At most one such thread per processor runs jobs, because more would slow each
/// other down. Jobs that one thread leaves are run by the others.
final class FollowUpExecutor: TaskExecutor {
    private struct State {
        /// Jobs left by threads that arrived while the maximum number of threads was running.
        var left: [UnownedJob] = []
        /// The number of threads that run jobs.
        var runnerCount = 0
    }

    /// The jobs that follow on one thread. Only that thread uses this object.
    private final class Following {
        let executor: FollowUpExecutor
        var jobs: [UnownedJob] = []

        init(of executor: FollowUpExecutor) { self.executor = executor }

        func next() -> UnownedJob? { jobs.isEmpty ? nil : jobs.removeFirst() }
    }

    private let state = Mutex(State())
    private let runnersMax = ProcessInfo.processInfo.activeProcessorCount

    /// The thread-local key under which a thread finds its own jobs.
    private static let key = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The jobs of this thread while it completes some work; `nil` on any other thread.
    private var following: Following? {
        guard let here = pthread_getspecific(Self.key) else { return nil }
        let following = Unmanaged<Following>.fromOpaque(here).takeUnretainedValue()
        return following.executor === self ? following : nil
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if let following { return following.jobs.append(job) }
        // Jobs from other threads never wait for a thread that is busy.
        DispatchQueue.global().async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }

    /// Completes some work on this thread, then runs the jobs that follow.
    func end(_ work: () -> Void) {
        let following = Following(of: self)
        pthread_setspecific(Self.key, Unmanaged.passUnretained(following).toOpaque())
        work()
        if begin(following) { run(following) }
        pthread_setspecific(Self.key, nil)
    }

    /// True if one more thread may run jobs. If not, the other threads run these jobs.
    private func begin(_ following: Following) -> Bool {
        state.withLock { state in
            guard state.runnerCount < runnersMax else {
                state.left += following.jobs
                return false
            }
            state.runnerCount += 1
            return true
        }
    }

    private func run(_ following: Following) {
        while let job = following.next() ?? leftOne() {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// A job that another thread left. If there is none, this thread stops running jobs.
    private func leftOne() -> UnownedJob? {
        state.withLock { state in
            guard state.left.isEmpty else { return state.left.removeFirst() }
            state.runnerCount -= 1
            return nil
        }
    }
}
