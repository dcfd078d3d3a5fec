import Foundation
import Ledger
public import Logging
public import Planning
import Storage
import Synchronization
import Timekeeping

/// Starts the jobs of the crontab at their times.
///
/// Each iteration checks the clock, claims the times that have come in one transaction, and starts
/// the waiting runs. If the daemon dies in between, the runs stay waiting or running, and the next
/// daemon finds them.
public final class JobScheduler: Sendable {
    /// The longest time between iterations, in milliseconds: a line can be due once a minute.
    static let sweepMilliseconds: Int64 = 60_000
    /// The most open runs loaded at once.
    static let openRunsMax = 1000

    let store: Store
    let planner: @Sendable () -> Planner
    let runner: JobRunner
    let clock: any WallClock
    let gauge: (any ClockGauge)?
    let boot: String
    let logger: Logger
    private let onIteration: @Sendable () -> Void
    let wakes = WakeSignal()
    let state: Mutex<State>

    /// The state kept between iterations.
    struct State {
        /// The crontab in use; `nil` until a valid one has been read.
        var table: CronTable?
        var crontab = CrontabWatch()
        var isReloadWanted = true
        /// The faults that were logged last.
        var faults: [String] = []
        var isBootClaimed = false
        /// The runs that this daemon is working on.
        var going: Set<Int64> = []
        var clocks: ClockWatch?
        /// The milliseconds by which the clock was set forward, not yet handled.
        var steppedMilliseconds: Int64 = 0
        /// The milliseconds by which the clock was set back, not yet handled.
        var backMilliseconds: Int64 = 0
    }

    /// Makes a scheduler. Only one may work on a home at a time.
    ///
    /// - Parameters:
    ///   - runner: runs the jobs.
    ///   - planner: returns the planner with the current configuration, which knows the crontab and
    ///   the store.
    ///   - machine: the clocks, and the id of the machine's current boot.
    ///   - logger: the log.
    ///   - onIteration: called at each iteration.
    public init(
        runner: JobRunner, planner: @escaping @Sendable () -> Planner, machine: Machine,
        logger: Logger, onIteration: @escaping @Sendable () -> Void = {}
    ) {
        store = planner().store
        self.planner = planner
        self.runner = runner
        clock = machine.clock
        gauge = machine.gauge
        boot = machine.boot ?? "daemon of \(machine.clock.now.utcText)"
        self.logger = logger
        self.onIteration = onIteration
        state = Mutex(State(clocks: machine.gauge.map { ClockWatch($0.reading) }))
    }

    /// Starts an iteration, which checks the crontab and the clock.
    ///
    /// - Parameter isReloadWanted: true to read the crontab even if the file is unchanged, because
    ///   the configuration may have changed.
    public func look(reloading isReloadWanted: Bool = false) {
        if isReloadWanted { state.withLock { $0.isReloadWanted = true } }
        wakes.wake()
    }

    /// Works until the task is cancelled. If the store is unavailable for a while, it waits.
    ///
    /// - Throws: ``StoreLoss``.
    public func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            if let gauge {
                group.addTask { for await _ in gauge.changes() { self.wakes.wake() } }
            }
            while !Task.isCancelled {
                let end = try await iterateOrWait { beginning in
                    group.addTask { await self.carryOut(beginning) }
                }
                await wakes.wait(until: end, on: clock)
            }
            group.cancelAll()
        }
    }

    /// Performs one iteration; after an error, the next one follows a second later.
    ///
    /// - Returns: the time of the next iteration.
    private func iterateOrWait(begin: (Beginning) -> Void) async throws -> Moment {
        do {
            return try await iterate(begin: begin)
        } catch let loss as StoreLoss {
            throw loss
        } catch is CancellationError {
            return clock.now
        } catch {
            logger.error("the crontab's runs cannot be recorded: \(error)")
            return clock.now.advanced(bySeconds: 1)
        }
    }

    /// Performs one iteration.
    ///
    /// - Parameter begin: starts a run in the background.
    /// - Returns: the time of the next iteration.
    /// - Throws: ``StoreError``, ``StoreLoss``.
    func iterate(begin: (Beginning) -> Void) async throws -> Moment {
        onIteration()
        let now = try await heedClock()
        // Orphans of an earlier daemon come first.
        guard try await resolveOrphans() else { return now }
        var isAllClaimed = try await claimTimes(now: now)
        if try await readCrontab() { isAllClaimed = try await claimTimes(now: now) }
        try await claimBoot()
        let next = try await beginRuns(now: now, begin: begin)
        guard isAllClaimed else { return now }
        let sweep = now.advanced(
            byMilliseconds: Self.sweepMilliseconds - now.milliseconds % Self.sweepMilliseconds)
        let line = state.withLock { $0.table?.next(after: now) }
        return [line, next].compactMap(\.self).reduce(sweep, min)
    }

    /// A run that starts, with its job and its line.
    struct Beginning {
        let run: JobRun
        let job: Job
        let line: CrontabLine
    }
}
