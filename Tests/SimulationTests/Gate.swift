import Storage
import Synchronization
import TestKit

/// The door of a store that fails now and then: before anything has happened, or when only the
/// answer gets lost.
final class Gate: StoreAccessHook {
    private struct State {
        var percent = 0
        var random: SeededRandom
    }

    private let executor: SteppedExecutor
    private let state: Mutex<State>

    init(executor: SteppedExecutor, seed: UInt64) {
        self.executor = executor
        state = Mutex(State(random: SeededRandom(seed: seed)))
    }

    /// So many of a hundred accesses fail from now on, half of them after they did their work.
    func set(percent: Int) {
        state.withLock { $0.percent = percent }
    }

    private var isFailing: Bool {
        state.withLock { state in
            state.percent > 0 && state.random.chance(percent: state.percent)
        }
    }

    func enter() throws {
        if isFailing { throw StoreError.disk(path: "simulation", detail: "refused") }
        executor.enter()
    }

    func leave() throws {
        executor.leave()
        if isFailing { throw StoreError.disk(path: "simulation", detail: "no answer") }
    }
}
