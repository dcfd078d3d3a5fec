import GRDB
import Synchronization

/// Makes one transaction of the writes that come while another one is being made durable: waiting
/// for the disk is what a small write costs, and they wait together (group commit).
///
/// A write never waits for others to come: where nothing is under way it goes at once, and who
/// comes meanwhile goes next. None is answered before all are durable. Where one of several fails,
/// none of them has happened, and each is run again in a transaction of its own: a savepoint for
/// each would cost the more the more of them there are, since SQLite walks all that it remembers
/// of a transaction at the end of each.
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
            for answer in group(in: db) { answer() }
            let isMore = state.withLock { state in
                state.isBusy = !state.waiting.isEmpty
                return state.isBusy
            }
            if isMore { begin() }
        }
    }

    /// Runs what waits, and returns the answers.
    private func group(in db: Database) -> [Answer] {
        var taken: [Job] = []
        // None waits for who came later, and those get ready while this one waits for the disk.
        let countMax = waitingCount
        do {
            return try transaction(in: db) {
                guard taken.count < countMax, let job = takeNext() else { return nil }
                taken.append(job)
                return job
            }
        } catch {
            // Where no transaction could be begun, none of those who wait can have one.
            let failed = taken.isEmpty ? takeAll() : taken
            guard taken.count > 1 else { return failed.map { job in { job.fail(error) } } }
            return failed.map { alone($0, in: db) }
        }
    }

    /// Runs a job in a transaction of its own, and returns the answer.
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

    /// Runs jobs in a transaction until there are no more, or so many rows have changed.
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
