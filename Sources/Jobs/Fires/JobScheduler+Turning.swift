import Foundation
import Ledger
import Logging
import Planning
import Settings
import Storage
import Synchronization
import Timekeeping

extension JobScheduler {
    // MARK: The clock

    /// Looks what happened to the clock since the last look.
    func heedClock() async throws {
        guard let gauge else { return }
        let reading = gauge.reading
        let changes = state.withLock { $0.clocks?.look(reading) ?? [] }
        for change in changes {
            switch change {
            case .setForward:
                state.withLock { $0.passage = .steppedOver }
            case .setBack: try await store.bringRunsForward(to: clock.now)
            case .corrected, .slept, .stoodStill: break
            }
        }
    }

    // MARK: Times

    /// Claims the times that have come.
    func claimTimes() async throws {
        let now = clock.now
        if state.withLock({ $0.table.isAhead(of: now) }) { try await followClockBack(to: now) }
        let (claims, old) = state.withLock { state in
            let old = state.table
            return (state.table.claims(now: now, state.passage), old)
        }
        guard !claims.isEmpty else { return state.withLock { $0.passage = .lived } }
        do {
            note(try await store.claim(claims, now: now))
            state.withLock { $0.passage = .lived }
        } catch {
            // The times stay to be claimed.
            state.withLock { $0.table = old }
            throw error
        }
    }

    private func note(_ runs: [JobRun]) {
        for run in runs where run.state == .skipped {
            logger.warning(
                "left out, because the run before it goes on",
                metadata: ["job": "\(run.job)", "time": "\(run.nominal.utcText)"])
        }
    }

    /// The clock was wrong, and what it showed comes again.
    private func followClockBack(to now: Moment) async throws {
        let count = try await store.reopenCronLines(coveredAfter: CronTable.limit(now), now: now)
        logger.warning("the clock was ahead: lines begin anew", metadata: ["lines": "\(count)"])
        try await list(state.withLock(\.table.lines), isWatched: false, now: now)
    }

    // MARK: The crontab

    /// Reads the crontab where it changed; a broken one leaves the old one working.
    ///
    /// - Returns: whether there may be other lines than before.
    func readCrontab() async throws -> Bool {
        let surroundings = planner().surroundings
        let file = CrontabFile(surroundings)
        let isNew = state.withLock { state in
            defer { state.isReadAnew = false }
            return state.crontab.look(at: file) || state.isReadAnew
        }
        guard isNew else { return false }
        let crontab: Crontab
        do throws(Refusal) {
            crontab = try file.read(try Crontab.Setting(surroundings))
        } catch {
            note([error.message])
            return false
        }
        guard crontab.faults.isEmpty else {
            note(crontab.faults.map { "\(file.path), \($0.text)" })
            return false
        }
        try await take(crontab, of: file)
        return true
    }

    private func note(_ faults: [String]) {
        for fault in faults { logger.error("\(fault)") }
        let isIdle = state.withLock(\.table.lines.isEmpty)
        logger.error(
            isIdle
                ? "no line of the crontab works until that is mended"
                : "the crontab as it was before goes on working until that is mended")
    }

    private func take(_ crontab: Crontab, of file: CrontabFile) async throws {
        let now = clock.now
        let isWatched = state.withLock { !$0.table.lines.isEmpty }
        do {
            try await list(
                crontab.lines, isWatched: isWatched, now: isWatched ? writtenLately(now) : now)
        } catch {
            state.withLock { $0.isReadAnew = true }
            throw error
        }
        let boots = state.withLock(\.table.rebootLines).map { ($0.name, $0.jobText) }
        _ = try await store.claim(boot: boot, lines: boots, now: now)
        logger.info(
            "crontab read",
            metadata: ["file": "\(file.path)", "lines": "\(crontab.lines.count)"])
    }

    /// When the crontab was written, a turn ago at most: what was written before a time came is
    /// meant to come then.
    private func writtenLately(_ now: Moment) -> Moment {
        let written = state.withLock(\.crontab.writtenAt) ?? now
        return max(now.advanced(byMilliseconds: -Self.sweepMilliseconds), min(written, now))
    }

    private func list(
        _ lines: [CrontabLine], isWatched: Bool, now: Moment
    ) async throws {
        let covered = try await store.list(
            lines.map { ListedCronLine(name: $0.name, timing: $0.timing) }, isWatched: isWatched,
            now: now)
        state.withLock { $0.table = CronTable(lines, covered: covered) }
    }

    // MARK: Runs

    /// A run that goes on without a daemon: it begins anew where that does no harm.
    ///
    /// - Parameters:
    ///   - run: the run.
    ///   - isDeath: whether a daemon died under it.
    /// - Throws: ``StoreError``.
    func resolve(_ run: JobRun, isDeath: Bool = true) async throws {
        let isRepeatable = (try? Job(run.job))?.isRepeatable ?? true
        if !isRepeatable, runner.hasBegun(run.frameName) {
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

    /// Carries a run out, and records how it ended.
    func carryOut(_ run: JobRun) async {
        defer {
            state.withLock { _ = $0.going.remove(run.id) }
            wakes.wake()
        }
        do {
            guard try await store.beginRun(run.id, now: clock.now) else { return }
            let report = try await report(on: run)
            try await end(run, report)
            note(report, of: run)
        } catch is CancellationError {
            await giveBack(run)
        } catch {
            logger.error(
                "a run cannot be recorded: \(error)", metadata: ["job": "\(run.job)"])
        }
    }

    /// Records how a run ended; what went wrong is told the owner.
    private func end(_ run: JobRun, _ report: JobReport) async throws {
        try await store.endRun(
            run.id, as: report.state, detail: report.words,
            telling: report.state == .done ? nil : alarm(run, report), now: clock.now)
        runner.forget(run.frameName)
    }

    private func alarm(_ run: JobRun, _ report: JobReport) -> WrittenLetter? {
        do {
            return try planner().alarm(
                job: run.job, mark: "\(run.nominal.utcText) \(run.id)",
                reason: report.words.isEmpty ? report.state.rawValue : report.words)
        } catch {
            logger.error("nobody can be told that a job failed: \(error)")
            return nil
        }
    }

    private func report(on run: JobRun) async throws(CancellationError) -> JobReport {
        let line = state.withLock { $0.table.line(named: run.line) }
        let job: Job
        do throws(JobFault) {
            job = try Job(run.job)
        } catch {
            return .failed(error.reason)
        }
        if case .run = job, !planner().surroundings.configuration.allowsShell {
            return .failed("allow_shell is not true any more")
        }
        return try await runner.run(
            job, in: .init(name: run.frameName, line: line, nominal: run.nominal))
    }

    /// The daemon ends: the next one begins the run anew where that does no harm.
    private func giveBack(_ run: JobRun) async {
        do {
            try await resolve(run, isDeath: false)
        } catch {
            logger.error("a run cannot be recorded: \(error)", metadata: ["job": "\(run.job)"])
        }
    }

    private func note(_ report: JobReport, of run: JobRun) {
        let isDone = report.state == .done
        logger.log(
            level: isDone ? .info : .error, "\(isDone ? "done" : "failed"): \(report.words)",
            metadata: ["job": "\(run.job)", "time": "\(run.nominal.utcText)"])
    }
}

extension JobRun {
    /// What no other run is called.
    var frameName: String { String(id) }
}
