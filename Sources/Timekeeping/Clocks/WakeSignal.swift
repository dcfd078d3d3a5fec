import Synchronization

/// Wakes a waiting loop at a given moment or as soon as ``wake()`` is called.
public final class WakeSignal: Sendable {
    private struct State {
        var isSet = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Creates a signal that has not been called yet.
    public init() {}

    /// Wakes the loop. If no task is waiting, the call is kept for the next wait.
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
    /// - Returns: true if ``wake()`` was called, or the task was cancelled, before the deadline.
    @discardableResult
    public func wait(until deadline: Moment, on clock: any WallClock) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                do {
                    try await clock.sleep(until: deadline)
                } catch {
                    // Cancelled: the wait is over as well.
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

/// A source of the current time. It is passed in wherever time matters, so that tests and
/// simulations can let a week pass at once.
public protocol WallClock: Sendable {
    /// The current time.
    var now: Moment { get }
    /// Returns when the clock has reached `deadline`; throws if the task was cancelled.
    func sleep(until deadline: Moment) async throws(CancellationError)
}

/// A clock that stands still, for a command that runs at a given time.
public struct FixedClock: WallClock {
    /// The time that the clock always shows.
    public let now: Moment

    /// Creates a clock that always shows this time.
    public init(_ now: Moment) {
        self.now = now
    }

    /// Returns at once, because a clock that stands still would never reach the deadline.
    public func sleep(until deadline: Moment) async throws(CancellationError) {}
}
