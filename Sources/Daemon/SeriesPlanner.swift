import Logging
import Notifications
import Planning
import Timekeeping

/// Keeps the reminders of recurring meetings planned far enough ahead in the ledger.
struct SeriesPlanner: Sendable {
    /// The interval between checks, in seconds. New meetings are already planned weeks ahead.
    private static let lookSeconds: Int64 = 6 * 3600

    let home: DaemonHome
    let clock: any WallClock
    let logger: Logger

    /// Checks repeatedly until the task is cancelled. The first check happened at the start.
    func run() async {
        while !Task.isCancelled {
            do {
                try await clock.sleep(until: clock.now.advanced(bySeconds: Self.lookSeconds))
            } catch {
                return
            }
            await home.planSeriesOn(logger: logger)
        }
    }
}

extension DaemonHome {
    /// Plans reminders of recurring meetings that are not planned far enough ahead. Failures are
    /// logged and tried again at the next check.
    func planSeriesOn(logger: Logger) async {
        do {
            let count = try await engine.planning.planSeriesOn()
            if count > 0 {
                logger.info("recurring meetings extended", metadata: ["series": "\(count)"])
            }
        } catch is CancellationError {
            return
        } catch {
            logger.error("cannot extend recurring meetings: \(error)")
        }
    }
}
