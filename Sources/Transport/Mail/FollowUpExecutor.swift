import Dispatch
import Foundation
import Glibc
import Synchronization

/// Runs what follows the end of some work on a thread that ended some, and everything else
/// wherever there is room.
///
/// To wake another thread for what follows costs as much as a good part of the work where that is
/// short, as handing a mail to a server nearby. No more threads run it at once than there are
/// processors: they would get in each other's way, and what some leave others take up.
final class FollowUpExecutor: TaskExecutor {
    private struct State {
        /// What was left by threads that came when enough others ran theirs.
        var left: [UnownedJob] = []
        /// How many threads run them.
        var runnerCount = 0
    }

    /// What follows on one thread; it alone knows of it.
    private final class Following {
        let executor: FollowUpExecutor
        var jobs: [UnownedJob] = []

        init(of executor: FollowUpExecutor) { self.executor = executor }

        func next() -> UnownedJob? { jobs.isEmpty ? nil : jobs.removeFirst() }
    }

    private let state = Mutex(State())
    private let runnersMax = ProcessInfo.processInfo.activeProcessorCount

    /// Under which a thread that ends some work finds what follows there.
    private static let key = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// What follows on this thread, while it ends some work.
    private var following: Following? {
        guard let here = pthread_getspecific(Self.key) else { return nil }
        let following = Unmanaged<Following>.fromOpaque(here).takeUnretainedValue()
        return following.executor === self ? following : nil
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if let following { return following.jobs.append(job) }
        // What comes from elsewhere never waits for a thread that is busy.
        DispatchQueue.global().async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }

    /// Ends some work on this thread, and runs what follows.
    func end(_ work: () -> Void) {
        let following = Following(of: self)
        pthread_setspecific(Self.key, Unmanaged.passUnretained(following).toOpaque())
        work()
        if begin(following) { run(following) }
        pthread_setspecific(Self.key, nil)
    }

    /// Whether there is room for another thread that runs what follows; else others do.
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

    /// One that another thread has left; without any, this thread runs no more.
    private func leftOne() -> UnownedJob? {
        state.withLock { state in
            guard state.left.isEmpty else { return state.left.removeFirst() }
            state.runnerCount -= 1
            return nil
        }
    }
}
