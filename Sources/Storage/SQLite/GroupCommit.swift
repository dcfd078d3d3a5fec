import GRDB
import Synchronization

/// Combines the writes that arrive while another one is being committed into one transaction (group
/// commit). The main cost of a small write is waiting for the disk, so they wait together.
///
/// A write never waits for others to arrive: if nothing is in progress, it starts immediately, and
/// writes that arrive meanwhile form the next transaction. No caller gets its result before the
/// commit is durable. If one of several writes fails, all are rolled back, and each is run again in
/// a transaction of its own. A savepoint for each write would cost more the more of them there are,
/// because SQLite walks everything it remembers of a transaction at the end of each savepoint.
final class GroupCommit: Sendable {
    /// The number of changed rows after which the remaining writes go into the next transaction.
    static let rowsMax = 1000

    private typealias Answer = @Sendable () -> Void

    private struct Job: Sendable {
        /// Does the work, and returns the closure that delivers the result once it is durable.
        let run: @Sendable (Database) throws -> Answer
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        /// True if a transaction is in progress or about to start.
        var isBusy = false
    }

    private let pool: DatabasePool
    private let state = Mutex(State())
    /// Measures each transaction, if set.
    let meter = Mutex<CommitMeter?>(nil)

    init(_ pool: DatabasePool) {
        self.pool = pool
    }

    /// The number of writes that wait for the next transaction.
    var waitingCount: Int { state.withLock(\.waiting.count) }

    /// Runs `body` in a transaction: it takes effect completely or not at all.
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
            for answer in group(in: db) { answer() }
            let isMore = state.withLock { state in
                state.isBusy = !state.waiting.isEmpty
                return state.isBusy
            }
            if isMore { begin() }
        }
    }

    /// Runs the waiting writes, and returns the closures that deliver their results.
    private func group(in db: Database) -> [Answer] {
        var taken: [Job] = []
        // Later arrivals do not join this group, so that nobody waits for them; they get ready
        // while this group waits for the disk.
        let countMax = waitingCount
        do {
            return try transaction(in: db) {
                guard taken.count < countMax, let job = takeNext() else { return nil }
                taken.append(job)
                return job
            }
        } catch {
            // If no transaction could be started, none of the waiting writes can have one.
            let failed = taken.isEmpty ? takeAll() : taken
            guard taken.count > 1 else { return failed.map { job in { job.fail(error) } } }
            return failed.map { alone($0, in: db) }
        }
    }

    /// Runs a write in a transaction of its own, and returns the closure that delivers its result.
    private func alone(_ job: Job, in db: Database) -> Answer {
        var next: Job? = job
        do {
            let answers = try transaction(in: db) {
                defer { next = nil }
                return next
            }
            return { for answer in answers { answer() } }
        } catch {
            return { job.fail(error) }
        }
    }

    /// Runs writes in one transaction until there are no more, or ``rowsMax`` rows have changed.
    private func transaction(in db: Database, _ next: () -> Job?) throws -> [Answer] {
        let meter = meter.withLock { $0 }
        let begun = meter?.uptime()
        var answers: [Answer] = []
        try db.inTransaction(.immediate) {
            let rowsBefore = db.totalChangesCount
            while db.totalChangesCount - rowsBefore < Self.rowsMax, let job = next() {
                answers.append(try job.run(db))
            }
            return .commit
        }
        if let meter, let begun { meter.record(meter.uptime() - begun) }
        return answers
    }

    private func takeNext() -> Job? {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }

    private func takeAll() -> [Job] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
