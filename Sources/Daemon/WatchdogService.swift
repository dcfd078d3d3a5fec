import Ledger
import Notifications
import ServiceLifecycle
import Timekeeping

/// Tells the service manager at regular intervals that all loops are running. If it stops, the
/// service manager restarts the daemon.
struct WatchdogService: Service, CustomStringConvertible {
    let manager: ServiceManager
    let every: Duration
    let loops: LoopWatch
    /// The clock of the machine.
    let clock: any WallClock

    /// The name under which the service group logs this service at debug level.
    var description: String { "WatchdogService" }

    func run() async throws {
        // Twice as often as required (sd_watchdog_enabled(3)).
        let (seconds, attoseconds) = (every / 2).components
        let pause = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        await cancelWhenGracefulShutdown {
            while true {
                let isWell = loops.stuck.isEmpty
                if isWell { manager.tell("WATCHDOG=1") }
                // A stuck loop is checked every second, so that its recovery is reported at once.
                let next = clock.now.advanced(byMilliseconds: isWell ? pause : 1000)
                try? await clock.sleep(until: next)
                guard !Task.isCancelled else { return }
            }
        }
    }
}
