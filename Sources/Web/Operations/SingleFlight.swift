import Synchronization
public import Timekeeping

/// Coalesces concurrent queries to something that may be slow or never answer.
///
/// At most one query runs at a time, and none while the last answer is fresh, so the number of
/// callers does not matter to whatever is queried. No caller waits longer than the time limit.
public final class SingleFlight<Answer: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Answer?, Never>

    private struct State {
        var last: (answer: Answer, at: Moment)?
        var waiters: [Int: Waiter] = [:]
        var cancelled: Set<Int> = []
        var number = 0
    }

    private let state = Mutex(State())
    private let freshMilliseconds: Int64
    private let patienceMilliseconds: Int64
    private let clock: any WallClock
    private let ask: @Sendable () async -> Answer
    private let calls: AsyncStream<Void>
    private let caller: AsyncStream<Void>.Continuation

    /// A query that ``run()`` carries out.
    ///
    /// - Parameters:
    ///   - freshMilliseconds: the time for which an answer is reused.
    ///   - patienceMilliseconds: the longest time that a caller waits.
    ///   - clock: the clock that measures both.
    ///   - ask: runs the query.
    public init(
        freshMilliseconds: Int64 = 1000, patienceMilliseconds: Int64 = 2000,
        clock: any WallClock, ask: @escaping @Sendable () async -> Answer
    ) {
        self.freshMilliseconds = freshMilliseconds
        self.patienceMilliseconds = patienceMilliseconds
        self.clock = clock
        self.ask = ask
        (calls, caller) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Runs the query whenever a caller asks for an answer, until the task is cancelled.
    public func run() async {
        for await _ in calls {
            guard state.withLock({ !$0.waiters.isEmpty }) else { continue }
            let answer = await ask()
            let now = clock.now
            let waiters = state.withLock { state in
                defer { state.waiters = [:] }
                state.last = (answer, now)
                return state.waiters.values
            }
            for waiter in waiters { waiter.resume(returning: answer) }
        }
    }

    /// The answer; `nil` if it takes too long.
    public func answer() async -> Answer? {
        let now = clock.now
        let last = state.withLock(\.last)
        // After the clock was set back, the age is negative and the answer does not count as fresh.
        if let last, (0..<freshMilliseconds).contains(now.milliseconds(since: last.at)) {
            return last.answer
        }
        return await withTaskGroup(of: Answer?.self) { group in
            group.addTask { await self.next() }
            group.addTask { [clock, patienceMilliseconds] in
                let end = now.advanced(byMilliseconds: patienceMilliseconds)
                // If the task is cancelled, the wait ends early.
                try? await clock.sleep(until: end)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func next() async -> Answer? {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        // Without this, a caller that was answered and then cancelled would stay in `cancelled` for
        // ever.
        defer { _ = state.withLock { $0.cancelled.remove(number) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return true }
                    state.waiters[number] = waiter
                    return false
                }
                if isCancelled { waiter.resume(returning: nil) } else { caller.yield() }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                if let waiter = state.waiters.removeValue(forKey: number) { return waiter }
                state.cancelled.insert(number)
                return nil
            }
            waiter?.resume(returning: nil)
        }
    }
}
