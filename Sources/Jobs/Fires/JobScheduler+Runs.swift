import Agenda
import Ledger
import Logging
import Planning
import Settings
import Storage
import Synchronization
import Timekeeping

extension JobScheduler {
    private func choice() async throws -> RunChoice {
        // Read first, so that a run that ends meanwhile does not look like an orphan.
        let going = state.withLock(\.going)
        return RunChoice(open: try await store.openRuns(limit: Self.openRunsMax), going: going)
    }

    // MARK: Orphaned runs

    /// Handles the runs that earlier daemons left unfinished.
    ///
    /// - Returns: true if there were none.
    func resolveOrphans() async throws -> Bool {
        let choice = try await choice()
        if state.withLock({ $0.table == nil }) {
            runner.forgetAll(but: Set(choice.open.map(\.signName)))
        }
        let orphans = choice.orphans.filter { !goesOnAlone($0) }
        for run in orphans { try await resolve(run) }
        return orphans.isEmpty
    }

    /// Whether the command of a run is still running without the daemon that started it. It is
    /// killed when its time limit has passed.
    private func goesOnAlone(_ run: JobRun) -> Bool {
        guard runner.goesOn(run.signName) else { return false }
        let line = state.withLock { $0.table?.line(named: run.line) }
        let limit = line?.options.limitSeconds ?? LineOptions.limitSecondsDefault
        if let start = run.startedAt, start.advanced(bySeconds: Int64(limit)) < clock.now {
            runner.kill(run.signName)
        }
        return true
    }

    /// Handles a run whose daemon is gone: repeats it if that does no harm.
    ///
    /// - Parameters:
    ///   - run: the run.
    ///   - isDeath: whether a daemon crashed during the run.
    /// - Throws: ``StoreError``.
    private func resolve(_ run: JobRun, isDeath: Bool = true) async throws {
        let isRepeatable = (try? Job(run.job))?.isRepeatable ?? true
        if !isRepeatable, runner.hasBegun(run.signName) {
            try await end(
                run,
                JobReport(
                    .interrupted, "the daemon stopped during the run, so the outcome is unknown"))
        } else if isDeath, run.starts >= RunChoice.startsMax {
            try await end(
                run, .failed("given up: the daemon stopped \(run.starts) times during the run"))
        } else {
            try await store.repeatRun(run.id, counting: isDeath)
        }
        logger.warning("unfinished run found", metadata: ["job": "\(run.job)"])
    }

    // MARK: Starting runs

    /// Starts the runs that are due, unless no crontab has been read. A run whose line was removed
    /// or changed is skipped.
    ///
    /// - Returns: the time at which the next waiting run is due.
    func beginRuns(now: Moment, begin: (Beginning) -> Void) async throws -> Moment? {
        guard let table = state.withLock(\.table) else { return nil }
        let choice = try await choice()
        var isCurrent = true
        for run in choice.beginning(now: now) {
            guard let line = table.line(named: run.line), (try? Job(run.job)) == line.job else {
                try await store.endRun(
                    run.id, as: .skipped,
                    detail: "its line was removed from the crontab, or its job was changed",
                    now: now)
                isCurrent = false
                continue
            }
            state.withLock { _ = $0.going.insert(run.id) }
            begin(Beginning(run: run, job: line.job, line: line))
        }
        return isCurrent ? choice.next(after: now) : now
    }

    /// Executes a run and records how it ended.
    func carryOut(_ beginning: Beginning) async {
        let run = beginning.run
        defer {
            state.withLock { _ = $0.going.remove(run.id) }
            wakes.wake()
        }
        do {
            guard try await begin(run) else { return }
            let report = try await report(on: beginning)
            try await insisting { try await self.end(run, report) }
            note(report, of: run)
        } catch {
            await giveBack(run)
        }
    }

    /// Marks a run as started.
    ///
    /// - Returns: false if another process has already started it, or if it cannot be recorded.
    private func begin(_ run: JobRun) async throws -> Bool {
        do {
            return try await store.beginRun(run.id, now: clock.now)
        } catch {
            // The next iteration tries again, after a pause: the disk may stay full for long.
            logger.error("cannot start a run: \(error)", metadata: ["job": "\(run.job)"])
            try await clock.sleep(until: clock.now.advanced(bySeconds: Self.pausesSeconds[0]))
            return false
        }
    }

    /// The pauses before the end of a run is recorded again, in seconds. The last one repeats.
    static let pausesSeconds: [Int64] = [2, 5, 10, 30, 60]

    /// Retries until the end of a run is recorded, however long the store is unavailable.
    private func insisting(_ record: () async throws -> Void) async throws {
        var tries = 0
        while true {
            do {
                return try await record()
            } catch let loss as StoreLoss {
                throw loss
            } catch {
                logger.error("cannot record the end of a run: \(error)")
                let pause = Self.pausesSeconds[min(tries, Self.pausesSeconds.count - 1)]
                tries += 1
                try await clock.sleep(until: clock.now.advanced(bySeconds: pause))
            }
        }
    }

    private func report(on beginning: Beginning) async throws -> JobReport {
        if case .run = beginning.job, !planner().surroundings.configuration.allowsShell {
            return .failed("allow_shell is no longer true")
        }
        let frame = JobRunner.Frame(
            name: beginning.run.signName, line: beginning.line, nominal: beginning.run.nominal)
        // Copying or checking a whole database takes time.
        return try await StoreDeadline.$current.withValue(nil) {
            try await runner.run(beginning.job, in: frame)
        }
    }

    /// Releases a run because the daemon stops: the next daemon repeats it if that does no harm.
    private func giveBack(_ run: JobRun) async {
        do {
            try await resolve(run, isDeath: false)
        } catch {
            logger.error("cannot record a run: \(error)", metadata: ["job": "\(run.job)"])
        }
    }

    // MARK: Ended runs

    /// Records how a run ended, and notifies the owner of a failure.
    private func end(_ run: JobRun, _ report: JobReport) async throws {
        let delivery = report.state == .done ? nil : await alarm(run, report)
        try await store.endRun(
            run.id, as: report.state, detail: report.words, telling: delivery, now: clock.now)
        runner.forget(run.signName)
    }

    private func alarm(_ run: JobRun, _ report: JobReport) async -> PreparedMessage? {
        do {
            return try await planner().alarm(
                job: run.job, line: run.line ?? run.job,
                reason: report.words.isEmpty ? report.state.rawValue : report.words)
        } catch {
            logger.error("cannot notify the owner of a failed job: \(error)")
            return nil
        }
    }

    private func note(_ report: JobReport, of run: JobRun) {
        let isDone = report.state == .done
        logger.log(
            level: isDone ? .info : .error, "\(report.state.rawValue): \(report.words)",
            metadata: ["job": "\(run.job)", "time": "\(run.nominal.utcText)"])
    }
}

extension JobRun {
    /// The name of the run's sign. No other run shares it, even after a backup was restored.
    var signName: String { "\(id)-\(nominal.milliseconds)" }
}
