import Logging
public import Storage
import Timekeeping

extension DeliveryEngine {
    /// Delivers what is due now, one attempt each, and returns when those attempts have ended.
    ///
    /// A delivery whose next attempt falls due at once is left for the next call.
    public func runOnce() async throws -> DeliveryTally {
        try await recover()
        let now = clock.now
        try await expire(now: now)
        var tally = DeliveryTally()
        var tried: Set<Int64> = []
        while true {
            let due = try await store.dueDeliveries(
                through: now, limit: tried.count + Self.batchRowsMax)
            let ids = due.map(\.id).filter { !tried.contains($0) }
            guard !ids.isEmpty else { return tally }
            tried.formUnion(ids)
            tally += try await deliver(ids, dueAt: now)
        }
    }

    /// Delivers what falls due until the task is cancelled, and looks at the store whenever
    /// `watch` tells of a change.
    ///
    /// A store that is away for a while is waited for: the loop says so and goes on. One whose file
    /// was taken away is not written to any more.
    ///
    /// - Throws: ``StoreLoss``.
    public func run(watch: StoreWatch) async throws {
        let wakes = WakeSignal()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in watch.changes { wakes.wake() }
            }
            group.addTask { try await self.loop(wakes) }
            try await group.next()
            group.cancelAll()
        }
    }

    private func loop(_ wakes: WakeSignal) async throws {
        var list = DueList(now: clock.now)
        var isRecovered = false
        while !Task.isCancelled {
            var pause = clock.now.advanced(byMilliseconds: Self.sweepMilliseconds)
            do {
                try store.checkFile()
                if !isRecovered { try await recover() }
                isRecovered = true
                try await refresh(&list)
                try await deliverDue(&list)
                if let next = list.nextDue() { pause = min(pause, next) }
            } catch is CancellationError {
                return
            } catch let loss as StoreLoss {
                throw loss
            } catch {
                // What was under way may have been left half recorded.
                isRecovered = false
                logger.error("the store is away: \(error)")
                // What failed may have touched the files, and must not wake the loop at once.
                try? await waitClock.sleep(until: waitClock.now.advanced(bySeconds: 1))
                pause = clock.now
            }
            await wakes.wait(until: pause, on: clock)
        }
    }

    private func refresh(_ list: inout DueList) async throws {
        let now = clock.now
        try await expire(now: now)
        let horizon = now.advanced(byMilliseconds: Self.horizonMilliseconds)
        list.update(
            try await store.dueDeliveries(through: horizon, limit: Self.pendingRowsMax), now: now)
    }

    /// One batch; what a batch leaves over, and what is due again, comes with the next turn.
    private func deliverDue(_ list: inout DueList) async throws {
        let now = clock.now
        let ids = list.takeDue(now: now)
        guard !ids.isEmpty else { return }
        _ = try await deliver(ids, dueAt: now)
    }

    private func expire(now: Moment) async throws {
        while true {
            let count = try await store.expireDeliveries(now: now, limit: Self.batchRowsMax)
            guard count > 0 else { return }
            logger.info("deliveries expired", metadata: ["count": "\(count)"])
        }
    }
}
