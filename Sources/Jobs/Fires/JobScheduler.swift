import Foundation
import Ledger
public import Logging
public import Planning
import Storage
import Synchronization
import Timekeeping

/// Starts what the crontab says, when it says so.
///
/// Each turn looks at the clock, claims the times that have come in one transaction of the store,
/// and begins what waits. What dies in between leaves a run that waits, or that goes on without a
/// daemon: the next one finds it.
public final class JobScheduler: Sendable {
    /// How often it looks unasked, in milliseconds: as often as a line may come.
    static let sweepMilliseconds: Int64 = 60_000
    /// The most runs that are looked at together.
    static let openRunsMax = 1000

    let store: Store
    let planner: @Sendable () -> Planner
    let runner: JobRunner
    let clock: any WallClock
    let gauge: (any ClockGauge)?
    let boot: String
    let logger: Logger
    private let turns: @Sendable () -> Void
    let wakes = WakeSignal()
    let state: Mutex<State>

    /// What it knows from turn to turn.
    struct State {
        /// The crontab that counts; `nil` until there was a sound one.
        var table: CronTable?
        var crontab = CrontabWatch()
        var isReadAnew = true
        /// What was said last of a crontab that cannot be used.
        var faults: [String] = []
        var isBootClaimed = false
        /// The runs that this daemon works on.
        var going: Set<Int64> = []
        var clocks: ClockWatch?
        /// By how many milliseconds the clock was set forward, and nobody has dealt with it yet.
        var steppedMilliseconds: Int64 = 0
        /// By how many it was set back.
        var backMilliseconds: Int64 = 0
    }

    /// Makes a scheduler; only one may work on a home at a time.
    ///
    /// - Parameters:
    ///   - runner: runs the jobs.
    ///   - planner: where the crontab and the store are, by the configuration of the moment.
    ///   - machine: the clocks, and which start of the machine this is.
    ///   - logger: where it tells what it does.
    ///   - turns: told of each turn.
    public init(
        runner: JobRunner, planner: @escaping @Sendable () -> Planner, machine: Machine,
        logger: Logger, turns: @escaping @Sendable () -> Void = {}
    ) {
        store = planner().store
        self.planner = planner
        self.runner = runner
        clock = machine.clock
        gauge = machine.gauge
        boot = machine.boot ?? "daemon of \(machine.clock.now.utcText)"
        self.logger = logger
        self.turns = turns
        state = Mutex(State(clocks: machine.gauge.map { ClockWatch($0.reading) }))
    }

    /// Looks at the crontab again, and at the clock.
    ///
    /// - Parameter isReadAnew: whether it is read even where the file is the same: the
    ///   configuration may be another.
    public func look(readingAnew isReadAnew: Bool = false) {
        if isReadAnew { state.withLock { $0.isReadAnew = true } }
        wakes.wake()
    }

    /// Works until the task is cancelled. A store that is away for a while is waited for.
    ///
    /// - Throws: ``StoreLoss``.
    public func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            if let gauge {
                group.addTask { for await _ in gauge.changes() { self.wakes.wake() } }
            }
            while !Task.isCancelled {
                let end = try await turnOrWait { beginning in
                    group.addTask { await self.carryOut(beginning) }
                }
                await wakes.wait(until: end, on: clock)
            }
            group.cancelAll()
        }
    }

    /// - Returns: when the next turn is due unasked.
    private func turnOrWait(begin: (Beginning) -> Void) async throws -> Moment {
        do {
            return try await turn(begin: begin)
        } catch let loss as StoreLoss {
            throw loss
        } catch is CancellationError {
            return clock.now
        } catch {
            logger.error("the crontab's runs cannot be recorded: \(error)")
            return clock.now.advanced(bySeconds: 1)
        }
    }

    /// One turn.
    ///
    /// - Parameter begin: lets a run go its way.
    /// - Returns: when the next turn is due unasked.
    /// - Throws: ``StoreError``, ``StoreLoss``.
    func turn(begin: (Beginning) -> Void) async throws -> Moment {
        turns()
        let now = try await heedClock()
        // What a daemon before this one left behind does not go on.
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

    /// A run that begins, and the line that says how.
    struct Beginning {
        let run: JobRun
        let job: Job
        let line: CrontabLine
    }
}
