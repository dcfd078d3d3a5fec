import Ledger
import Logging
import Planning
public import Storage
import Synchronization
import Timekeeping

extension DeliveryEngine {
    /// Resolves the attempts without an outcome that an earlier engine left behind: they may or may
    /// not have arrived.
    public func recover() async throws {
        try await recover(besides: nil)
    }

    private func recover(besides dispatch: SharedDispatch?) async throws {
        try await foldAll()
        let orphans = try await store.orphanedDeliveries().filter { orphan in
            dispatch?.with { $0.holds(orphan.id) } != true
        }
        guard !orphans.isEmpty else { return }
        let now = clock.now
        let finished = orphans.map { resolved($0, now: now) }
        try await record(finished)
        monitor.metrics.foundHalfSent(finished.count)
        for (orphan, attempt) in zip(orphans, finished) {
            let what =
                attempt.isWithdrawn ? "an attempt that sent nothing" : "an interrupted attempt"
            logger.warning(
                "found \(what), now \(attempt.verdict.state)",
                metadata: ["delivery": "\(orphan.name)"])
        }
    }

    private func resolved(_ orphan: OrphanedDelivery, now: Moment) -> FinishedAttempt {
        // Deliveries are begun in batches: most of them had only waited.
        guard !isUntouched(orphan) else { return FinishedAttempt(withdrawing: orphan.id) }
        let report = AttemptReport(
            .ambiguous, code: AttemptReport.deathCode,
            reply: "the daemon stopped during this attempt")
        return FinishedAttempt(
            id: orphan.id, report: report,
            verdict: verdict(
                report, channel: orphan.channel, attempts: orphan.attempts,
                ambiguities: orphan.ambiguities + 1, deaths: orphan.deaths + 1,
                deadline: orphan.deadline, now: now))
    }

    /// Makes one attempt at each delivery that is due now, and returns when all attempts have
    /// ended.
    ///
    /// A delivery whose next attempt falls due immediately is left for the next call.
    public func runOnce() async throws -> DeliveryTally {
        _ = try await workerNumber()
        try await recover()
        let now = clock.now
        try await endSuppressions(now: now)
        let dispatch = SharedDispatch(sparesNobody: true, isPatient: false)
        var tried: Set<Int64> = []
        while !Task.isCancelled {
            let due = try await store.dueDeliveries(
                through: now, limit: tried.count + Self.onceRowsMax)
            let ids = due.map(\.id).filter { !tried.contains($0) }
            guard !ids.isEmpty else { break }
            tried.formUnion(ids)
            try await deliver(ids, by: dispatch)
            try await foldAll()
        }
        return dispatch.with(\.tally)
    }

    /// Makes one attempt at each of these deliveries that is due.
    public func deliver(_ ids: [Int64]) async throws -> DeliveryTally {
        let dispatch = SharedDispatch(sparesNobody: true, isPatient: false)
        try await deliver(ids, by: dispatch)
        return dispatch.with(\.tally)
    }

    private func deliver(_ ids: [Int64], by dispatch: SharedDispatch) async throws {
        _ = try await workerNumber()
        try await offer(ids, to: dispatch)
        await withDiscardingTaskGroup { jobs in
            await beforeJobsEnd(dispatch) {
                while !Task.isCancelled {
                    startJobs(of: dispatch, in: &jobs)
                    guard !dispatch.with(\.isIdle) else { return }
                    await dispatch.wakes.waitForCall()
                }
            }
        }
        try await finish(dispatch)
        try dispatch.check()
    }

    /// Delivers everything that falls due until the task is cancelled. Reads changes from the store
    /// whenever `watch` reports one.
    ///
    /// If the store is unavailable for a while, the loop logs it and retries. If its file was
    /// removed or replaced, nothing more is written to it.
    ///
    /// - Throws: ``StoreLoss``.
    public func run(watch: StoreWatch) async throws {
        let dispatch = SharedDispatch(sparesNobody: false, isPatient: true)
        self.dispatch.withLock { $0 = dispatch }
        defer { self.dispatch.withLock { $0 = nil } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in watch.changes { dispatch.hear() }
            }
            if let gauge { group.addTask { await self.listen(to: gauge, dispatch) } }
            group.addTask { try await self.work(dispatch) }
            try await group.next()
            group.cancelAll()
        }
    }

    private func work(_ dispatch: SharedDispatch) async throws {
        let loss = await withDiscardingTaskGroup { jobs in
            defer {
                dispatch.end()
                jobs.cancelAll()
            }
            return await beforeJobsEnd(dispatch) { await self.loop(dispatch, &jobs) }
        }
        if case .taken? = loss {
            // Try to record the outcomes so far, for the worker that took over.
            try? await finish(dispatch)
        }
        if let loss { throw loss }
        try await finish(dispatch)
    }

    /// Runs `body` and marks the run as ending when the task is cancelled. Call this inside the
    /// jobs' task group, so that messages that wait inside a sink learn of the end before a
    /// cancelled job frees a slot for them.
    private func beforeJobsEnd<Value>(
        _ dispatch: SharedDispatch, _ body: () async -> Value
    ) async -> Value {
        await withTaskCancellationHandler(operation: body) { dispatch.end() }
    }

    /// - Returns: why the loop cannot go on; `nil` when the task was cancelled.
    private func loop(_ dispatch: SharedDispatch, _ jobs: inout DiscardingTaskGroup) async
        -> StoreLoss?
    {
        // The first pass tries again what failed with the settings of an earlier engine.
        var isFresh = true
        while !Task.isCancelled {
            do {
                monitor.noteIteration()
                try store.checkFile()
                // First, so that the previous worker can begin nothing that this engine does not
                // see.
                _ = try await workerNumber()
                try await recover(besides: dispatch)
                try await heedEarlierClock()
                if isFresh { try await tryNewSettings(dispatch) }
                isFresh = false
                dispatch.catchUp { $0.begin(through: clock.now) }
                var horizon = try await Horizon.read(store, now: clock.now)
                while !Task.isCancelled { try await turn(&horizon, dispatch, &jobs) }
            } catch is CancellationError {
                return nil
            } catch let loss as StoreLoss {
                return loss
            } catch {
                // The failed operation may have touched the files; this pause keeps that from
                // restarting the loop at once.
                logger.error("the database is not available, retrying: \(error)")
                await pause(seconds: 1)
            }
        }
        return nil
    }

    /// One iteration: reads changes, takes due deliveries, starts all jobs that are ready, then
    /// sleeps until something happens or falls due.
    private func turn(
        _ horizon: inout Horizon, _ dispatch: SharedDispatch, _ jobs: inout DiscardingTaskGroup
    ) async throws {
        monitor.noteIteration()
        try dispatch.check()
        try store.checkFile()
        try await heedClocks(dispatch)
        try await takeNewParts(dispatch)
        startJobs(of: dispatch, in: &jobs)
        let now = clock.now
        if let end = horizon.listEndsAt, end <= now {
            horizon.listEndsAt = try await endSuppressions(now: now)
            horizon.hear()
        }
        if dispatch.takeNews() { horizon.hear() }
        horizon.list.take(back: dispatch.with { $0.takeRescheduled() })
        try await horizon.refresh(store, now: now)
        let due = horizon.list.takeDue(now: now)
        guard due.isEmpty else {
            return try await offer(
                due.filter { id in !dispatch.with { $0.holds(id) } }, to: dispatch)
        }
        // Fold in small steps while nothing is due, so that deliveries that fall due meanwhile wait
        // only briefly.
        if dispatch.with(\.isIdle) {
            tellCaughtUp(dispatch)
            guard try await fold(limit: Self.idleFoldRowsMax) == 0 else { return }
        }
        let moments = [horizon.list.nextDue(), dispatch.with { $0.wakeAt(now: now) }]
        await dispatch.wakes.wait(
            until: moments.compactMap(\.self).reduce(horizon.lookAt, min), on: clock)
    }

    /// Removes suppressions that have ended, and replans the deliveries they held back.
    ///
    /// - Returns: the end of the next suppression; `nil` if none ends.
    @discardableResult
    private func endSuppressions(now: Moment) async throws -> Moment? {
        while let end = try await store.nextSuppressionEnd() {
            guard end <= now else { return end }
            let ended = try await store.endSuppressions(
                now: now, limit: Self.endedEntriesMax,
                replanning: planning.replanning(because: "its address is no longer suppressed"))
            note(ended.failures)
            logger.info(
                "suppressions have ended", metadata: ["count": "\(ended.count)"])
        }
        return nil
    }

    /// Applies a new configuration: it may have fixed what was wrong.
    private func takeNewParts(_ dispatch: SharedDispatch) async throws {
        let parts = parts.withLock { $0 }
        guard dispatch.isOutdated(parts.number) else { return }
        let now = clock.now
        for destination in dispatch.with({ $0.renew(now: now) { parts.limits($0.channel) } }) {
            monitor.metrics.breaker(of: destination.name, is: .closed)
        }
        try await tryNewSettings(dispatch)
    }

    /// Removes all circuit breakers from the store, and makes the deliveries due that failed
    /// because of wrong settings.
    private func tryNewSettings(_ dispatch: SharedDispatch) async throws {
        try await store.closeBreakers()
        try await foldAll()
        if try await store.retryMisconfigured(now: clock.now) > 0 { dispatch.hear() }
    }

    /// Folds all outcomes into the ledger.
    func foldAll() async throws {
        while try await fold(limit: Self.batchRowsMax) > 0 {}
    }

    private func fold(limit: Int) async throws -> Int {
        let folded = try await store.foldOutcomes(limit: limit)
        for key in folded.setAside {
            logger.error(
                "the state contradicts the outcome of the last attempt; check the ledger",
                metadata: ["delivery": "\(key)"])
        }
        return folded.count
    }
}
