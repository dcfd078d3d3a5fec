import Ledger
import Storage
import Synchronization
import Timekeeping

/// The dispatch state of one run of an engine, shared by its tasks.
final class SharedDispatch: Sendable {
    private struct State {
        var isNewsHeard = false
        var failure: (any Error)?
        var partsNumber = 0
        var clocks: ClockWatch?
        var catchUp = CatchUpCount()
        /// The amount by which the clock was set back and the store is not adjusted yet.
        var backMilliseconds: Int64 = 0
    }

    private let pending: Mutex<DispatchState>
    private let state = Mutex(State())
    private let ending = Atomic(false)
    /// Wakes the loop that decides what is next.
    let wakes = WakeSignal()
    /// True to retry as long as the store is not available.
    let isPatient: Bool

    /// - Parameters:
    ///   - sparesNobody: one attempt at each delivery, regardless of circuit breakers and rate
    ///     limits.
    ///   - isPatient: whether to retry as long as the store is not available.
    init(sparesNobody: Bool, isPatient: Bool) {
        pending = Mutex(DispatchState(sparesNobody: sparesNobody))
        self.isPatient = isPatient
    }

    /// Reads or changes the dispatch state under its lock.
    func with<Value: Sendable>(_ body: (inout sending DispatchState) -> sending Value) -> Value {
        pending.withLock(body)
    }

    /// True if the run is ending: no more attempts are begun.
    var isEnding: Bool { ending.load(ordering: .acquiring) }

    func end() { ending.store(true, ordering: .releasing) }

    /// Notes that a process has written to the store.
    func hear() {
        state.withLock { $0.isNewsHeard = true }
        wakes.wake()
    }

    /// True if a process has written to the store since the last call.
    func takeNews() -> Bool {
        state.withLock { state in
            defer { state.isNewsHeard = false }
            return state.isNewsHeard
        }
    }

    /// Keeps the first error that cannot be handled here.
    func fail(_ error: any Error) {
        state.withLock { $0.failure = $0.failure ?? error }
    }

    /// - Throws: the error passed to ``fail(_:)``, if any.
    func check() throws {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Compares the clocks with the last reading.
    ///
    /// - Returns: the changes since the last reading; empty the first time.
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

    /// The amount by which the clock was set back and the store is not adjusted yet.
    var backMilliseconds: Int64 { state.withLock(\.backMilliseconds) }

    /// Notes that the store was adjusted by this much.
    func settle(backMilliseconds: Int64) {
        state.withLock { $0.backMilliseconds -= backMilliseconds }
    }

    /// Reads or changes the count of late deliveries under its lock.
    func catchUp<Value: Sendable>(_ body: (inout CatchUpCount) -> Value) -> Value {
        state.withLock { body(&$0.catchUp) }
    }

    /// True if the configuration changed since the last call.
    func isOutdated(_ partsNumber: Int) -> Bool {
        state.withLock { state in
            defer { state.partsNumber = partsNumber }
            return state.partsNumber != partsNumber
        }
    }
}
