import Storage
import Synchronization
import TestKit

/// Makes accesses to the store fail now and then: either before anything is done, or afterwards, so
/// that only the reply is lost.
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

    /// Sets the percentage of accesses that fail, before or after doing their work.
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
