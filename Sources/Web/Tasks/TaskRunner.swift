import Agenda
import Ledger
import Logging
import Planning
import Storage
import Synchronization
import Timekeeping

/// Runs the tasks of accounts in this process, and keeps their states in the store.
///
/// Two tasks of an account run at a time, and four in all; the others wait in the order in which
/// they were started.
final class TaskRunner: Sendable {
    /// The most tasks that run at a time.
    static let runningMax = 4
    /// The most tasks of an account that run at a time.
    static let runningEachMax = 2
    /// The most tasks of an account that run or wait.
    static let openEachMax = 10
    /// The least time between two notes of progress, in milliseconds.
    static let noteMilliseconds: Int64 = 500

    /// The work of a task.
    typealias Work = @Sendable (TaskSteps) async -> TaskEnd

    private struct Entry {
        let task: LongTask
        /// The subject by which a second task of the same kind is found.
        let key: String
        let store: Store
        let work: Work
        let cleanUp: @Sendable () -> Void
        var run: Task<Void, Never>?
        var stop: (@Sendable () -> Void)?
        var isStopped = false
        var notedAt: Moment?
    }

    private struct State {
        var entries: [LongTaskID: Entry] = [:]
        /// The tasks in the order in which they were started.
        var order: [LongTaskID] = []
        /// True if the daemon ends.
        var isClosing = false
    }

    private let state = Mutex(State())
    private let clock: any WallClock
    private let logger: Logger
    /// Tells the open pages of an account that a task has changed.
    private let tell: @Sendable (LongTask) -> Void

    init(
        clock: any WallClock, logger: Logger, tell: @escaping @Sendable (LongTask) -> Void
    ) {
        self.clock = clock
        self.logger = logger
        self.tell = tell
    }

    // MARK: Starting and stopping

    /// Starts a task as soon as there is room.
    ///
    /// - Parameters:
    ///   - task: the task.
    ///   - key: the subject that tells it from other tasks of its kind; `nil` for the one that
    ///     people see.
    ///   - store: the store that keeps its state.
    ///   - cleanUp: called once, after the work, or if the work never begins.
    ///   - work: the work.
    /// - Throws: ``Refusal`` with `too_many_tasks` if the account has too many.
    func start(
        _ task: LongTask, key: String? = nil, in store: Store,
        cleanUp: @escaping @Sendable () -> Void = {}, work: @escaping Work
    ) async throws {
        let isAdded: Bool
        do {
            isAdded = try await store.addTask(task, openMax: Self.openEachMax)
        } catch {
            cleanUp()
            throw error
        }
        guard isAdded else {
            cleanUp()
            throw Refusal(
                .refused, code: "too_many_tasks",
                "You have \(Self.openEachMax) tasks that are not finished. Wait for one of them, "
                    + "or cancel one.")
        }
        state.withLock { state in
            state.entries[task.id] = Entry(
                task: task, key: key ?? task.subject, store: store, work: work,
                cleanUp: cleanUp)
            state.order.append(task.id)
        }
        beginNext()
    }

    /// An open task of an account; `nil` if there is none of this kind about this subject.
    func open(_ kind: LongTask.Kind, about key: String, of person: PersonID) -> LongTaskID? {
        state.withLock { state in
            state.order.first { id in
                guard let entry = state.entries[id] else { return false }
                return entry.task.person == person && entry.task.kind == kind && entry.key == key
            }
        }
    }

    /// Stops a task of an account at its next step; one that waits does not begin.
    func stop(_ id: LongTaskID, of person: PersonID) async throws {
        let found = state.withLock { state -> Entry? in
            guard let entry = state.entries[id], entry.task.person == person else { return nil }
            state.entries[id]?.isStopped = true
            if entry.run == nil { Self.forget(id, in: &state) }
            return entry
        }
        guard let entry = found else { return }
        if entry.run == nil {
            entry.cleanUp()
            try await entry.store.endTask(id, as: .cancelled, result: "", now: clock.now)
        } else {
            entry.stop?()
            try await entry.store.noteStopping(of: id)
        }
        tell(entry.task)
    }

    /// Stops all tasks of an account that was deleted.
    func stopAll(of person: PersonID) async throws {
        let ids = state.withLock { state in
            state.order.filter { state.entries[$0]?.task.person == person }
        }
        for id in ids { try await stop(id, of: person) }
    }

    /// Stops all tasks, and waits for their ends.
    func close() async {
        let (runs, waiting) = state.withLock { state in
            state.isClosing = true
            for id in state.order { state.entries[id]?.isStopped = true }
            let all = state.order.compactMap { state.entries[$0] }
            for entry in all where entry.run == nil { Self.forget(entry.task.id, in: &state) }
            return (all.filter { $0.run != nil }, all.filter { $0.run == nil })
        }
        for entry in runs { entry.stop?() }
        for entry in waiting {
            entry.cleanUp()
            await end(entry, as: .interrupted, result: "")
        }
        for entry in runs { await entry.run?.value }
    }

    /// Returns when a task of this process has ended.
    func ended(_ id: LongTaskID) async {
        while let entry = state.withLock({ $0.entries[id] ?? nil }) {
            if let run = entry.run { await run.value } else { await Task.yield() }
        }
    }

    // MARK: Running

    /// Begins the tasks for which there is room.
    private func beginNext() {
        state.withLock { state in
            while let id = Self.next(in: state) {
                // Detached, because the limits of the request that started it are not its own.
                state.entries[id]?.run = Task.detached { await self.perform(id) }
            }
        }
    }

    /// The first task that may begin.
    private static func next(in state: State) -> LongTaskID? {
        guard !state.isClosing else { return nil }
        let running = state.entries.values.filter { $0.run != nil }
        guard running.count < runningMax else { return nil }
        return state.order.first { id in
            guard let entry = state.entries[id], entry.run == nil else { return false }
            return running.count { $0.task.person == entry.task.person } < runningEachMax
        }
    }

    private static func forget(_ id: LongTaskID, in state: inout State) {
        state.entries[id] = nil
        state.order.removeAll { $0 == id }
    }

    private func perform(_ id: LongTaskID) async {
        guard let entry = state.withLock({ $0.entries[id] }) else { return }
        do {
            try await entry.store.beginTask(id, now: clock.now)
        } catch {
            logger.error("cannot note the beginning of a task: \(error)")
        }
        tell(entry.task)
        let work = Task.detached { await entry.work(TaskSteps(id: id, runner: self)) }
        let isStopped = state.withLock { state in
            // The places of a city come with one request, which has no steps in between.
            if entry.task.kind == .fetch { state.entries[id]?.stop = { work.cancel() } }
            return state.entries[id]?.isStopped == true
        }
        if isStopped, entry.task.kind == .fetch { work.cancel() }
        let end = await work.value
        entry.cleanUp()
        await self.end(entry, as: finalState(of: end), result: (try? end.result.json) ?? "")
        state.withLock { Self.forget(id, in: &$0) }
        beginNext()
    }

    private func finalState(of end: TaskEnd) -> LongTask.State {
        switch end {
        case .done: .done
        case .failed: .failed
        case .stopped: state.withLock { $0.isClosing } ? .interrupted : .cancelled
        }
    }

    private func end(_ entry: Entry, as final: LongTask.State, result: String) async {
        do {
            try await entry.store.endTask(
                entry.task.id, as: final, result: result, now: clock.now)
        } catch {
            logger.error("cannot note the end of a task: \(error)")
        }
        tell(entry.task)
    }

    // MARK: Steps

    /// Notes how far a task is, at most twice a second, and says whether it may go on. A task of
    /// an account that was deleted since may not.
    fileprivate func note(_ id: LongTaskID, done: Int, total: Int) async throws -> Bool {
        let now = clock.now
        let (entry, isDue) = state.withLock { state -> (Entry?, Bool) in
            guard let entry = state.entries[id] else { return (nil, false) }
            let isDue =
                entry.notedAt.map {
                    now.milliseconds - $0.milliseconds >= Self.noteMilliseconds
                } ?? true
            if isDue { state.entries[id]?.notedAt = now }
            return (entry, isDue)
        }
        guard let entry, !entry.isStopped, try await entry.store.isOpen(task: id) else {
            return false
        }
        guard isDue else { return true }
        try await entry.store.noteProgress(of: id, done: done, total: total)
        tell(entry.task)
        return true
    }

    fileprivate func isStopped(_ id: LongTaskID) -> Bool {
        state.withLock { $0.entries[id]?.isStopped ?? true }
    }
}

/// The steps of a running task.
struct TaskSteps: Sendable {
    let id: LongTaskID
    fileprivate let runner: TaskRunner

    /// Notes how far the task is.
    ///
    /// - Parameters:
    ///   - done: the number of steps that are done.
    ///   - total: the number of all steps.
    /// - Returns: false if the task is to stop.
    /// - Throws: ``StoreError``.
    func mayGoOn(_ done: Int, _ total: Int) async throws -> Bool {
        try await runner.note(id, done: done, total: total)
    }

    /// True if the task is to stop.
    var isStopped: Bool { runner.isStopped(id) }
}
