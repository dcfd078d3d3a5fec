import Logging
import Notifications
import Planning
import Timekeeping

/// Decides at their deadlines whether meetings with a minimum take place.
struct MinimumWatch: Sendable {
    /// The longest interval between checks, in seconds. Other processes can make meetings whose
    /// deadline is near.
    private static let lookSeconds: Int64 = 60

    let home: DaemonHome
    let clock: any WallClock
    let logger: Logger

    /// Decides repeatedly until the task is cancelled. The first time was at the start.
    func run() async {
        while !Task.isCancelled {
            let latest = clock.now.advanced(bySeconds: Self.lookSeconds)
            let next = try? await home.engine.planning.nextMinimum()
            do {
                // A deadline that has passed and could not be decided is tried at the next check.
                let due = next.flatMap { $0 }.map { $0 > clock.now ? $0 : latest }
                try await clock.sleep(until: min(due ?? latest, latest))
            } catch {
                return
            }
            await home.decideMinimums(logger: logger)
        }
    }
}

extension DaemonHome {
    /// Decides whether meetings take place whose deadline has come. Failures are logged and tried
    /// again at the next check.
    func decideMinimums(logger: Logger) async {
        do {
            let planning = engine.planning
            let count = try await planning.decideMinimums(
                dueBy: planning.surroundings.clock.now)
            if count > 0 {
                logger.info("minimums decided", metadata: ["meetings": "\(count)"])
            }
        } catch is CancellationError {
            return
        } catch {
            logger.error("cannot decide whether a meeting takes place: \(error)")
        }
    }
}
