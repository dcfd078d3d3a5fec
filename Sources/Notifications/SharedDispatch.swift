import Ledger
import Storage
import Synchronization
import Timekeeping

/// The traffic of one run of an engine, shared by the tasks that carry it.
final class SharedDispatch: Sendable {
    private struct State {
        var isNewsHeard = false
        var failure: (any Error)?
        var partsNumber = 0
        var clocks: ClockWatch?
        var catchUp = CatchUpCount()
        /// By how much the clock was set back, as far as the store was not told.
        var backMilliseconds: Int64 = 0
    }

    private let pending: Mutex<DispatchState>
    private let state = Mutex(State())
    private let ending = Atomic(false)
    /// Wakes who decides what is next.
    let wakes = WakeSignal()
    /// Whether a store that is away is waited for as long as it takes.
    let isPatient: Bool

    /// - Parameters:
    ///   - sparesNobody: one attempt at each delivery, whatever ails its destination.
    ///   - isPatient: whether a store that is away is waited for as long as it takes.
    init(sparesNobody: Bool, isPatient: Bool) {
        pending = Mutex(DispatchState(sparesNobody: sparesNobody))
        self.isPatient = isPatient
    }

    /// Looks at the traffic, or tells it what happened.
    func with<Value: Sendable>(_ body: (inout sending DispatchState) -> sending Value) -> Value {
        pending.withLock(body)
    }

    /// Whether the run ends: nothing more is begun.
    var isEnding: Bool { ending.load(ordering: .acquiring) }

    func end() { ending.store(true, ordering: .releasing) }

    /// Somebody has written to the store.
    func hear() {
        state.withLock { $0.isNewsHeard = true }
        wakes.wake()
    }

    /// Whether somebody has written to the store since this was last asked.
    func takeNews() -> Bool {
        state.withLock { state in
            defer { state.isNewsHeard = false }
            return state.isNewsHeard
        }
    }

    /// Remembers the first error that nobody here can do anything about.
    func fail(_ error: any Error) {
        state.withLock { $0.failure = $0.failure ?? error }
    }

    /// - Throws: what went wrong and was not waited for.
    func check() throws {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Looks at the clocks.
    ///
    /// - Returns: what happened to them since the last look; nothing the first time.
    func look(_ reading: ClockReading) -> [ClockChange] {
        state.withLock { state in
            guard var watch = state.clocks else {
                state.clocks = ClockWatch(reading)
                return []
            }
            let changes = watch.look(reading)
            state.clocks = watch
            for case .setBack(let milliseconds) in changes {
                state.backMilliseconds += milliseconds
            }
            return changes
        }
    }

    /// By how much the clock was set back, as far as the store was not told.
    var backMilliseconds: Int64 { state.withLock(\.backMilliseconds) }

    /// The store was told of so much.
    func settle(backMilliseconds: Int64) {
        state.withLock { $0.backMilliseconds -= backMilliseconds }
    }

    /// Looks at what is caught up on, or tells it what happened.
    func catchUp<Value: Sendable>(_ body: (inout CatchUpCount) -> Value) -> Value {
        state.withLock { body(&$0.catchUp) }
    }

    /// Whether the engine works by another configuration than when this was last asked.
    func isOutdated(_ partsNumber: Int) -> Bool {
        state.withLock { state in
            defer { state.partsNumber = partsNumber }
            return state.partsNumber != partsNumber
        }
    }
}
