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
        var jobs: [UnownedJob] = []
        /// How many threads run them.
        var runnerCount = 0
    }

    private let state = Mutex(State())
    private let runnersMax = ProcessInfo.processInfo.activeProcessorCount

    /// Under which a thread that ends some work finds for whom.
    private static let key = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private var mark: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard pthread_getspecific(Self.key) != mark else {
            return state.withLock { $0.jobs.append(job) }
        }
        // What comes from elsewhere never waits for a thread that is busy.
        DispatchQueue.global().async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }

    /// Ends some work on this thread, and runs what follows.
    func end(_ work: () -> Void) {
        pthread_setspecific(Self.key, mark)
        work()
        runFollowUps()
        pthread_setspecific(Self.key, nil)
    }

    private func runFollowUps() {
        var isRunner = false
        while let job = nextJob(&isRunner) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// The next one for a thread that runs them, or would.
    private func nextJob(_ isRunner: inout Bool) -> UnownedJob? {
        state.withLock { state in
            if isRunner { state.runnerCount -= 1 }
            isRunner = !state.jobs.isEmpty && state.runnerCount < runnersMax
            guard isRunner else { return nil }
            state.runnerCount += 1
            return state.jobs.removeFirst()
        }
    }
}
