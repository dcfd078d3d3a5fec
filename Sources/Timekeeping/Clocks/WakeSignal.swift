import Synchronization

/// Wakes a loop that waits: at a moment, or as soon as somebody calls.
public final class WakeSignal: Sendable {
    private struct State {
        var isSet = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Nobody has called yet.
    public init() {}

    /// Wakes the loop; a call while nobody waits is kept for the next wait.
    public func wake() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            state.isSet = state.waiter == nil
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits until the clock shows `deadline`, ``wake()`` is called, or the task is cancelled.
    ///
    /// - Returns: whether it was called, or cancelled, before the time had come.
    @discardableResult
    public func wait(until deadline: Moment, on clock: any WallClock) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                do {
                    try await clock.sleep(until: deadline)
                } catch {
                    // Cancelled: the wait is over all the same.
                }
                return false
            }
            group.addTask {
                await self.waitForCall()
                return true
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    /// Waits until ``wake()`` is called or the task is cancelled.
    public func waitForCall() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if state.isSet || Task.isCancelled {
                        state.isSet = false
                        return true
                    }
                    state.waiter = continuation
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }
    }
}
