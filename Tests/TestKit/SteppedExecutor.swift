import Dispatch
public import Storage
import Synchronization

/// Runs tasks one step after the other, on the thread that drives it and in an order that a seed
/// decides, so that whatever tasks do together happens again in the same way.
///
/// A step is what a task does between two suspensions. An access to a store that was opened with
/// this executor for its gate counts as part of a step: nothing else runs until its answer is
/// there, although other threads work on it.
///
/// ```swift
/// let executor = SteppedExecutor(seed: 7)
/// let engine = executor.start { try await engine.run(watch: watch) }
/// executor.run()  // until everybody waits for the clock, or for somebody else
/// ```
public final class SteppedExecutor: TaskExecutor {
    private struct State {
        var ready: [UnownedJob] = []
        /// Whether a task waits for the answer of a store.
        var isAway = false
        /// What came back with that answer.
        var returned: [UnownedJob] = []
        var random: SeededRandom
    }

    private let state: Mutex<State>
    private let answers = DispatchSemaphore(value: 0)

    /// An executor that chooses by this seed.
    public init(seed: UInt64) {
        state = Mutex(State(random: SeededRandom(seed: seed)))
    }

    /// Takes a step on.
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

    /// Makes a task that runs here alone.
    public func start<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        Task(executorPreference: self) { try await body() }
    }

    /// Runs steps until nobody can go on, or so many have been taken.
    ///
    /// - Returns: whether nobody can go on.
    @discardableResult
    public func run(stepsMax: Int = .max) -> Bool {
        for _ in 0..<stepsMax {
            guard step() else { return true }
        }
        // Nothing is left half way to a store.
        while state.withLock(\.isAway) { _ = step() }
        return state.withLock(\.ready.isEmpty)
    }

    /// Somebody waits for what nobody here will do.
    public struct Standstill: Error {}

    /// Runs steps until this has ended.
    ///
    /// - Returns: what came of it.
    /// - Throws: what it throws, or ``Standstill``.
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
    /// Nothing else runs from now on.
    public func enter() {
        state.withLock { $0.isAway = true }
    }

    /// Others run again.
    public func leave() {
        state.withLock { state in
            state.isAway = false
            state.ready += state.returned
            state.returned = []
        }
    }
}
