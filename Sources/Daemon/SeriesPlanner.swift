import Logging
import Notifications
import Planning
import Timekeeping

/// Keeps reminders of series in the ledger far enough ahead.
struct SeriesPlanner: Sendable {
    /// How often it looks: what was made meanwhile is planned weeks ahead already. In seconds.
    private static let lookSeconds: Int64 = 6 * 3600

    let home: DaemonHome
    let clock: any WallClock
    let logger: Logger

    /// Looks again and again, until its task is cancelled; the first look was at the start.
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
    /// Plans reminders of series on where they are not planned far enough ahead. What cannot be
    /// done is logged, and tried again at the next look.
    func planSeriesOn(logger: Logger) async {
        do {
            let count = try await engine.planning.planSeriesOn()
            if count > 0 {
                logger.info("reminders of series are planned on", metadata: ["series": "\(count)"])
            }
        } catch is CancellationError {
            return
        } catch {
            logger.error("reminders of series cannot be planned on: \(error)")
        }
    }
}
