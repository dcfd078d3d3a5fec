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
        var tally = DeliveryTally()
        var tried: Set<Int64> = []
        while true {
            let due = try await store.dueDeliveries(
                through: now, limit: tried.count + Self.batchRowsMax)
            let ids = due.map(\.id).filter { !tried.contains($0) }
            guard !ids.isEmpty else { break }
            tried.formUnion(ids)
            tally += try await deliver(ids, dueAt: now)
            try await foldAll()
        }
        return tally
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
        while !Task.isCancelled {
            do {
                monitor.turns()
                try store.checkFile()
                try await recover()
                var horizon = try await Horizon.read(store, now: clock.now)
                while !Task.isCancelled { try await turn(&horizon, wakes) }
            } catch is CancellationError {
                return
            } catch let loss as StoreLoss {
                throw loss
            } catch {
                // What was under way may have been left half recorded. What failed may have
                // touched the files, and must not wake the loop at once.
                logger.error("the store is away: \(error)")
                try? await waitClock.sleep(until: waitClock.now.advanced(bySeconds: 1))
            }
        }
    }

    /// One turn: what is new, one batch of what is due, and then rest until something is.
    private func turn(_ horizon: inout Horizon, _ wakes: WakeSignal) async throws {
        monitor.turns()
        try store.checkFile()
        let now = clock.now
        try await horizon.refresh(store, now: now)
        let ids = horizon.list.takeDue(now: now)
        guard ids.isEmpty else {
            _ = try await deliver(ids, dueAt: now)
            return
        }
        // Folding makes room while nothing is due.
        guard try await store.foldOutcomes(limit: Self.batchRowsMax) == 0 else { return }
        let look = horizon.rereadAt
        let isCalled = await wakes.wait(
            until: min(look, horizon.list.nextDue() ?? look), on: clock)
        if isCalled { horizon.hear() }
    }

    /// Folds all that has ended.
    func foldAll() async throws {
        while try await store.foldOutcomes(limit: Self.batchRowsMax) > 0 {}
    }
}
