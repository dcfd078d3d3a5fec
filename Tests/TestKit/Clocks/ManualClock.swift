import Synchronization
public import Timekeeping

/// A clock that a test moves by hand: a week passes at once, and no test sleeps.
///
/// ```swift
/// let clock = ManualClock("2026-12-01T12:00:00Z")
/// async let run: Void = loop.run(on: clock)
/// await clock.untilSomebodySleeps()
/// clock.advance(bySeconds: 3600)
/// ```
public final class ManualClock: WallClock {
    private struct Sleeper {
        let deadline: Moment
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct Watcher {
        let id: Int
        let deadlines: ClosedRange<Moment>
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now: Moment
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [Watcher] = []
        var cancelled: Set<Int> = []
        var number = 0
    }

    private let state: Mutex<State>

    /// Creates a clock that shows a moment.
    public init(_ now: Moment) {
        state = Mutex(State(now: now))
    }

    /// Creates a clock that shows a moment, written as in RFC 3339.
    public convenience init(_ text: String) throws {
        self.init(try Moment.parse(text))
    }

    /// The current time of the clock.
    public var now: Moment { state.withLock(\.now) }

    /// Sets the time, forwards or backwards, and wakes the tasks whose deadline has come.
    public func set(_ now: Moment) {
        let due = state.withLock { state in
            state.now = now
            let due = state.sleepers.filter { $0.value.deadline <= now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume(returning: true) }
    }

    /// Moves the clock forwards by some seconds.
    public func advance(bySeconds seconds: Int64) {
        set(now.advanced(bySeconds: seconds))
    }

    /// Returns when the clock reaches `deadline`, or throws when the task is cancelled.
    public func sleep(until deadline: Moment) async throws(CancellationError) {
        let id = state.withLock { state in
            state.number += 1
            return state.number
        }
        let isReached = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                lie(down: id, Sleeper(deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(id)
                return state.sleepers.removeValue(forKey: id)
            }
            sleeper?.continuation.resume(returning: false)
        }
        guard isReached else { throw CancellationError() }
    }

    private func lie(down id: Int, _ sleeper: Sleeper) {
        let (isAwake, isReached, watchers) = state.withLock { state in
            let isReached = sleeper.deadline <= state.now
            guard !isReached, !state.cancelled.contains(id) else {
                return (true, isReached, [Watcher]())
            }
            state.sleepers[id] = sleeper
            let told = state.watchers.filter { $0.deadlines.contains(sleeper.deadline) }
            state.watchers.removeAll { $0.deadlines.contains(sleeper.deadline) }
            return (false, false, told)
        }
        if isAwake { sleeper.continuation.resume(returning: isReached) }
        for watcher in watchers { watcher.continuation.resume() }
    }

    /// Returns when a task sleeps, or when the calling task is cancelled, for example by a time
    /// limit.
    public func untilSomebodySleeps() async {
        await untilSomebodySleeps(
            until: Moment(milliseconds: .min)...Moment(milliseconds: .max))
    }

    /// Returns when a task sleeps until exactly this moment, or when the calling task is cancelled.
    public func untilSomebodySleeps(until deadline: Moment) async {
        await untilSomebodySleeps(until: deadline...deadline)
    }

    /// Returns when a task sleeps for at most some seconds, or when the calling task is cancelled.
    public func untilSomebodySleeps(withinSeconds seconds: Int64) async {
        await untilSomebodySleeps(until: now...now.advanced(bySeconds: seconds))
    }

    private func untilSomebodySleeps(until deadlines: ClosedRange<Moment>) async {
        let id = state.withLock { state in
            state.number += 1
            return state.number
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                watch(Watcher(id: id, deadlines: deadlines, continuation: continuation))
            }
        } onCancel: {
            let watcher = state.withLock { state in
                state.cancelled.insert(id)
                let index = state.watchers.firstIndex { $0.id == id }
                return index.map { state.watchers.remove(at: $0) }
            }
            watcher?.continuation.resume()
        }
    }

    private func watch(_ watcher: Watcher) {
        let isOver = state.withLock { state in
            let isOver =
                state.cancelled.contains(watcher.id)
                || state.sleepers.values.contains { watcher.deadlines.contains($0.deadline) }
            if !isOver { state.watchers.append(watcher) }
            return isOver
        }
        if isOver { watcher.continuation.resume() }
    }

    /// The deadlines of the sleeping tasks, the earliest first.
    public var deadlines: [Moment] {
        state.withLock { $0.sleepers.values.map(\.deadline).sorted() }
    }
}
