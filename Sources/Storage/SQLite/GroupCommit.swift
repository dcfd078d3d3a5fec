import GRDB
import Synchronization

/// Makes one transaction of the writes that come while another one is being made durable: waiting
/// for the disk is what a small write costs, and they wait together (group commit).
///
/// A write never waits for others to come: where nothing is under way it goes at once, and alone.
/// In company each stands in a savepoint of its own, so that one that fails takes back only what is
/// its own. None is answered before all are durable.
final class GroupCommit: Sendable {
    /// Once so many rows have changed, what still waits goes into the next transaction.
    static let rowsMax = 1000

    private typealias Answer = @Sendable () -> Void

    private struct Job: Sendable {
        /// Does the work, and returns how to answer when it is durable.
        let run: @Sendable (Database) throws -> Answer
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        /// Whether a transaction is under way, or about to be.
        var isBusy = false
    }

    private let pool: DatabasePool
    private let state = Mutex(State())
    /// Measures each transaction, where somebody wants to know.
    let meter = Mutex<CommitMeter?>(nil)

    init(_ pool: DatabasePool) {
        self.pool = pool
    }

    /// How many writes wait for the next one.
    var waitingCount: Int { state.withLock(\.waiting.count) }

    /// Runs `body` in a transaction: all of it happens, or nothing.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                run: { db in
                    let value = try body(db)
                    return { continuation.resume(returning: value) }
                }, fail: { continuation.resume(throwing: $0) })
            let isFirst = state.withLock { state in
                state.waiting.append(job)
                defer { state.isBusy = true }
                return !state.isBusy
            }
            if isFirst { begin() }
        }
    }

    private func begin() {
        pool.asyncWriteWithoutTransaction { [self] db in
            for answer in transaction(in: db) { answer() }
            let isMore = state.withLock { state in
                state.isBusy = !state.waiting.isEmpty
                return state.isBusy
            }
            if isMore { begin() }
        }
    }

    /// Runs what waits, and returns the answers.
    private func transaction(in db: Database) -> [Answer] {
        var taken: [Job] = []
        var answers: [Answer] = []
        let meter = meter.withLock { $0 }
        let begun = meter?.uptime()
        do {
            try db.inTransaction(.immediate) {
                let rowsBefore = db.totalChangesCount
                while db.totalChangesCount - rowsBefore < Self.rowsMax, let next = takeNext() {
                    taken.append(next.job)
                    guard !next.isLast || taken.count > 1 else {
                        answers.append(try next.job.run(db))
                        break
                    }
                    answers.append(try run(next.job, in: db))
                }
                return .commit
            }
            if let meter, let begun { meter.record(meter.uptime() - begun) }
            return answers
        } catch {
            // Where no transaction could be begun, none of those who wait can have one.
            let failed = taken.isEmpty ? takeAll() : taken
            return failed.map { job in { job.fail(error) } }
        }
    }

    /// Runs a job in a savepoint; an error that ended the whole transaction goes on.
    private func run(_ job: Job, in db: Database) throws -> Answer {
        do {
            var answer: Answer = {}
            try db.inSavepoint {
                answer = try job.run(db)
                return .commit
            }
            return answer
        } catch  where db.isInsideTransaction {
            return { job.fail(error) }
        }
    }

    private func takeNext() -> (job: Job, isLast: Bool)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else { return nil }
            let job = state.waiting.removeFirst()
            return (job, state.waiting.isEmpty)
        }
    }

    private func takeAll() -> [Job] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
