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

    /// Checks for clock changes since the last look, and adjusts the due times of waiting runs if
    /// it was set back.
    ///
    /// - Returns: the clock reading of this moment. The iteration uses it to its end; if the
    ///   clock is set meanwhile, the next iteration handles that change.
    func heedClock() async throws -> Moment {
        guard let gauge else { return clock.now }
        let reading = gauge.reading
        let back = state.withLock { state in
            for change in state.clocks?.look(reading) ?? [] {
                switch change {
                case .setForward(let milliseconds): state.steppedMilliseconds += milliseconds
                case .setBack(let milliseconds): state.backMilliseconds += milliseconds
                case .corrected, .slept, .stoodStill: break
                }
            }
            return state.backMilliseconds
        }
        guard back > 0 else { return reading.wall }
        try await store.bringRunsForward(byMilliseconds: back, now: reading.wall)
        state.withLock { $0.backMilliseconds -= back }
        return reading.wall
    }

    /// Handles a clock that was ahead and was corrected: the times since `now` come again.
    private func followClockBack(_ table: CronTable, to now: Moment) async throws {
        let count = try await store.reopenCronLines(waitingAfter: CronTable.limit(now), now: now)
        logger.warning(
            "the clock was ahead: lines are scheduled again", metadata: ["lines": "\(count)"])
        try await list(table.lines, now: now)
    }

    // MARK: Times

    /// Claims the times that have come.
    ///
    /// - Returns: true if no times are left to claim.
    func claimTimes(now: Moment) async throws -> Bool {
        guard let table = state.withLock(\.table) else { return true }
        guard !table.isAhead(of: now) else {
            try await followClockBack(table, to: now)
            return false
        }
        var isAll = true
        for line in table.lines {
            let claim = state.withLock { state in
                state.table?.claim(line, now: now, steppedBy: state.steppedMilliseconds)
            }
            guard let claim else { continue }
            let (runs, coveredTo) = try await store.claim(claim, now: now)
            note(runs)
            state.withLock { $0.table?.settle(line.name, coveredTo: coveredTo) }
            if claim.fires.count == CronTable.firesMax || coveredTo != claim.coveredTo {
                isAll = false
            }
        }
        if isAll {
            state.withLock { state in
                state.table?.settle(now: now)
                state.steppedMilliseconds = 0
            }
        }
        return isAll
    }

    /// Claims the start of the machine, once the first valid crontab has been read.
    func claimBoot() async throws {
        let lines = state.withLock { $0.isBootClaimed ? nil : $0.table?.rebootLines }
        guard let lines else { return }
        _ = try await store.claim(
            boot: boot, lines: lines.map { ($0.name, $0.jobText) }, now: clock.now)
        state.withLock { $0.isBootClaimed = true }
    }

    private func note(_ runs: [JobRun]) {
        for run in runs where run.state == .skipped {
            logger.warning(
                "skipped: \(run.detail)",
                metadata: ["job": "\(run.job)", "time": "\(run.nominal.utcText)"])
        }
    }

    // MARK: The crontab

    /// Reads the crontab if it has changed. If the new one has faults, the old one stays in use.
    ///
    /// - Returns: true if the lines may have changed.
    func readCrontab() async throws -> Bool {
        var surroundings = planner().surroundings
        let file = CrontabFile(surroundings)
        let isNew = state.withLock { state in
            let isNew = state.crontab.look(at: file, now: clock.now) || state.isReloadWanted
            state.isReloadWanted = false
            return isNew
        }
        guard isNew else { return false }
        // With the current time zone rules.
        surroundings.zones = ZoneDirectory(path: surroundings.zones.path)
        let crontab: Crontab
        do throws(Refusal) {
            crontab = try file.read(try Crontab.Setting(surroundings))
        } catch {
            // The file may be readable again at the next look.
            state.withLock { $0.isReloadWanted = true }
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

    /// Logs faults once, not every minute.
    private func note(_ faults: [String]) {
        let (isKnown, isIdle) = state.withLock { state in
            defer { state.faults = faults }
            return (state.faults == faults, state.table == nil)
        }
        guard !isKnown else { return }
        for fault in faults { logger.error("\(fault)") }
        logger.error(
            isIdle
                ? "no job runs until the crontab is fixed"
                : "the previous crontab stays in use until the new one is fixed")
    }

    private func take(_ crontab: Crontab, of file: CrontabFile) async throws {
        let now = clock.now
        let known = state.withLock(\.table?.lines)
        do {
            // A line that was written before one of its times came must run at that time.
            let since = max(
                state.withLock(\.crontab.changedAt) ?? now,
                now.advanced(byMilliseconds: -Self.sweepMilliseconds))
            try await list(crontab.lines, now: known == nil ? now : since)
        } catch {
            state.withLock { $0.isReloadWanted = true }
            throw error
        }
        let isSame = known?.map(\.text) == crontab.lines.map(\.text)
        state.withLock { $0.faults = [] }
        logger.log(
            level: isSame ? .debug : .info, "crontab read",
            metadata: ["file": "\(file.path)", "lines": "\(crontab.lines.count)"])
    }

    private func list(_ lines: [CrontabLine], now: Moment) async throws {
        let covered = try await store.list(
            lines.map { ListedCronLine(name: $0.name, timing: $0.timing) }, now: now)
        state.withLock { $0.table = CronTable(lines, covered: covered) }
    }
}
