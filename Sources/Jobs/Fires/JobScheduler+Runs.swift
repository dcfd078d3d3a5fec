import Ledger
import Logging
import Planning
import Settings
import Storage
import Synchronization
import Timekeeping

extension JobScheduler {
    private func choice() async throws -> RunChoice {
        // Read first: what ends meanwhile is not taken for what nobody works on.
        let going = state.withLock(\.going)
        return RunChoice(open: try await store.openRuns(limit: Self.openRunsMax), going: going)
    }

    // MARK: What was left behind

    /// Deals with what daemons before this one left behind.
    ///
    /// - Returns: whether there was nothing of it.
    func resolveOrphans() async throws -> Bool {
        let choice = try await choice()
        if state.withLock({ $0.table == nil }) {
            runner.forgetAll(but: Set(choice.open.map(\.signName)))
        }
        let orphans = choice.orphans.filter { !goesOnAlone($0) }
        for run in orphans { try await resolve(run) }
        return orphans.isEmpty
    }

    /// A command goes on without the daemon that started it. It is ended when its time is over.
    private func goesOnAlone(_ run: JobRun) -> Bool {
        guard runner.goesOn(run.signName) else { return false }
        let line = state.withLock { $0.table?.line(named: run.line) }
        let limit = line?.options.limitSeconds ?? LineOptions.limitSecondsDefault
        if let start = run.startedAt, start.advanced(bySeconds: Int64(limit)) < clock.now {
            runner.kill(run.signName)
        }
        return true
    }

    /// A run that goes on without a daemon: it begins anew where that does no harm.
    ///
    /// - Parameters:
    ///   - run: the run.
    ///   - isDeath: whether a daemon died under it.
    /// - Throws: ``StoreError``.
    private func resolve(_ run: JobRun, isDeath: Bool = true) async throws {
        let isRepeatable = (try? Job(run.job))?.isRepeatable ?? true
        if !isRepeatable, runner.hasBegun(run.signName) {
            try await end(
                run,
                JobReport(
                    .interrupted, "the daemon ended while it ran: how it went on is not known"))
        } else if isDeath, run.starts >= RunChoice.startsMax {
            try await end(
                run, .failed("given up: the daemon ended \(run.starts) times while it ran"))
        } else {
            try await store.repeatRun(run.id, counting: isDeath)
        }
        logger.warning("found unfinished", metadata: ["job": "\(run.job)"])
    }

    // MARK: What begins

    /// Lets begin what may. Without a crontab nothing does, and what its line does not want any
    /// more is left out.
    ///
    /// - Returns: when the next one may begin that cannot yet.
    func beginRuns(now: Moment, begin: (Beginning) -> Void) async throws -> Moment? {
        guard let table = state.withLock(\.table) else { return nil }
        let choice = try await choice()
        var isCurrent = true
        for run in choice.beginning(now: now) {
            guard let line = table.line(named: run.line), (try? Job(run.job)) == line.job else {
                try await store.endRun(
                    run.id, as: .skipped,
                    detail: "its line was taken out of the crontab, or starts something else",
                    now: now)
                isCurrent = false
                continue
            }
            state.withLock { _ = $0.going.insert(run.id) }
            begin(Beginning(run: run, job: line.job, line: line))
        }
        return isCurrent ? choice.next(after: now) : now
    }

    /// Carries a run out, and records how it ended.
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

    /// - Returns: whether it begins: not where somebody else began it.
    private func begin(_ run: JobRun) async throws -> Bool {
        do {
            return try await store.beginRun(run.id, now: clock.now)
        } catch {
            // The next turn tries again; not at once, and not for ever on a full disk.
            logger.error("a run cannot begin: \(error)", metadata: ["job": "\(run.job)"])
            try await clock.sleep(until: clock.now.advanced(bySeconds: Self.pausesSeconds[0]))
            return false
        }
    }

    /// The waits before the end of a run is recorded again, in seconds; the last one again and
    /// again.
    static let pausesSeconds: [Int64] = [2, 5, 10, 30, 60]

    /// What has ended is recorded, however long the store is away.
    private func insisting(_ record: () async throws -> Void) async throws {
        var tries = 0
        while true {
            do {
                return try await record()
            } catch let loss as StoreLoss {
                throw loss
            } catch {
                logger.error("the end of a run cannot be recorded: \(error)")
                let pause = Self.pausesSeconds[min(tries, Self.pausesSeconds.count - 1)]
                tries += 1
                try await clock.sleep(until: clock.now.advanced(bySeconds: pause))
            }
        }
    }

    private func report(on beginning: Beginning) async throws -> JobReport {
        if case .run = beginning.job, !planner().surroundings.configuration.allowsShell {
            return .failed("allow_shell is not true any more")
        }
        let frame = JobRunner.Frame(
            name: beginning.run.signName, line: beginning.line, nominal: beginning.run.nominal)
        // To copy or to examine a whole database takes its time.
        return try await StoreDeadline.$current.withValue(nil) {
            try await runner.run(beginning.job, in: frame)
        }
    }

    /// The daemon ends: the next one begins the run anew where that does no harm.
    private func giveBack(_ run: JobRun) async {
        do {
            try await resolve(run, isDeath: false)
        } catch {
            logger.error("a run cannot be recorded: \(error)", metadata: ["job": "\(run.job)"])
        }
    }

    // MARK: What ended

    /// Records how a run ended; what went wrong is told the owner.
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
            logger.error("nobody can be told that a job failed: \(error)")
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
    /// What the sign of its command is called: no other run's is, also after a backup was restored.
    var signName: String { "\(id)-\(nominal.milliseconds)" }
}
