import Dispatch
public import Storage
import Synchronization

/// Runs tasks one step after another, on the thread that drives it and in an order determined by a
/// seed, so that every interleaving of the tasks can be reproduced.
///
/// A step is the work of a task between two suspensions. An access to a store that was opened with
/// this executor as its hook counts as part of a step: nothing else runs until its answer is there,
/// although other threads work on it.
///
/// ```swift
/// let executor = SteppedExecutor(seed: 7)
/// let engine = executor.start { try await engine.run(watch: watch) }
/// executor.run()  // until every task waits for the clock or something else
/// ```
public final class SteppedExecutor: TaskExecutor {
    private struct State {
        var ready: [UnownedJob] = []
        /// True if a task waits for the answer of a store.
        var isAway = false
        /// The jobs that came back with that answer.
        var returned: [UnownedJob] = []
        var random: SeededRandom
    }

    private let state: Mutex<State>
    private let answers = DispatchSemaphore(value: 0)

    /// Creates an executor whose order follows from a seed.
    public init(seed: UInt64) {
        state = Mutex(State(random: SeededRandom(seed: seed)))
    }

    /// Queues a step.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isAnswer = state.withLock { state in
            guard state.isAway else {
                state.ready.append(job)
                return false
            }
            state.returned.append(job)
            return true
        }
        if isAnswer { answers.signal() }
    }

    /// Starts a task that runs only on this executor.
    public func start<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        Task(executorPreference: self) { try await body() }
    }

    /// Runs steps until no task can continue, or until `stepsMax` steps have run.
    ///
    /// - Returns: true if no task can continue.
    @discardableResult
    public func run(stepsMax: Int = .max) -> Bool {
        for _ in 0..<stepsMax {
            guard step() else { return true }
        }
        // No access to a store is left unfinished.
        while state.withLock(\.isAway) { _ = step() }
        return state.withLock(\.ready.isEmpty)
    }

    /// The error of a task that waits for something that never happens on this executor.
    public struct Standstill: Error {}

    /// Runs steps until an operation ends.
    ///
    /// - Returns: its result.
    /// - Throws: its error, or ``Standstill``.
    @discardableResult
    public func value<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let ending = Ending<Value>()
        _ = start {
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            ending.result.withLock { $0 = result }
        }
        run()
        guard let result = ending.result.withLock({ $0 }) else { throw Standstill() }
        return try result.get()
    }

    private final class Ending<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    private func step() -> Bool {
        guard let job = next() else { return false }
        job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }

    private func next() -> UnownedJob? {
        while state.withLock({ $0.isAway && $0.returned.isEmpty }) { answers.wait() }
        return state.withLock { state in
            if state.isAway { return state.returned.removeFirst() }
            guard !state.ready.isEmpty else { return nil }
            return state.ready.remove(
                at: Int.random(in: 0..<state.ready.count, using: &state.random))
        }
    }
}

extension SteppedExecutor: StoreAccessHook {
    /// Called before an access to a store. Nothing else runs from now on.
    public func enter() {
        state.withLock { $0.isAway = true }
    }

    /// Called after an access to a store. Other tasks run again.
    public func leave() {
        state.withLock { state in
            state.isAway = false
            state.ready += state.returned
            state.returned = []
        }
    }
}
