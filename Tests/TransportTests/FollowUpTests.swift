import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing

@testable import Transport

@Suite(.timeLimit(.minutes(5))) struct FollowUpTests {
    /// Threads that complete the work tasks wait for, like those of a client.
    private final class Office: Sendable {
        let executor = FollowUpExecutor()
        private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
        private let arrivals = DispatchSemaphore(value: 0)
        private let threads = Mutex<Set<pthread_t>>([])

        /// True if the caller runs on one of the threads.
        var isHere: Bool { threads.withLock { $0.contains(pthread_self()) } }

        /// Waits for one of the threads.
        func visit() async {
            await withCheckedContinuation { continuation in
                waiting.withLock { $0.append(continuation) }
                arrivals.signal()
            }
        }

        /// Serves visits on a separate thread, until ``close()``.
        func open() {
            Thread.detachNewThread {
                self.threads.withLock { _ = $0.insert(pthread_self()) }
                while true {
                    self.arrivals.wait()
                    guard let next = self.waiting.withLock({ $0.popLast() }) else { return }
                    self.executor.end { next.resume() }
                }
            }
        }

        /// Ends one of the threads, once nobody waits.
        func close() {
            arrivals.signal()
        }
    }

    @Test func `Every follow-up job runs exactly once`() async {
        let office = Office()
        for _ in 0..<4 { office.open() }
        defer { for _ in 0..<4 { office.close() } }
        let count = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<40 {
                group.addTask(executorPreference: office.executor) {
                    var visits = 0
                    for number in 0..<100 {
                        await office.visit()
                        visits += 1
                        // A job that runs elsewhere in between returns to the executor.
                        if number.isMultiple(of: 10) { await Task { @MainActor in }.value }
                    }
                    return visits
                }
            }
            return await group.reduce(0, +)
        }
        #expect(count == 4000)
    }

    @Test func `A follow-up job runs on the thread that completed the work`() async {
        let office = Office()
        office.open()
        defer { office.close() }
        let task = Task(executorPreference: office.executor) {
            guard !office.isHere else { return false }
            // If the work is complete before the task waits, the task continues where it is.
            for _ in 0..<100 {
                await office.visit()
                if office.isHere { return true }
            }
            return false
        }
        #expect(await task.value)
    }
}
