import Ledger
import Notifications
import ServiceLifecycle
import Timekeeping

/// Tells the service manager that all loops turn, as often as it wants to hear it. It starts the
/// daemon anew when it does not.
struct WatchdogService: Service, CustomStringConvertible {
    let manager: ServiceManager
    let every: Duration
    let loops: LoopWatch
    /// The machine's clock.
    let clock: any WallClock

    /// Its group logs this at debug.
    var description: String { "WatchdogService" }

    func run() async throws {
        // Twice as often as has to be (sd_watchdog_enabled(3)).
        let (seconds, attoseconds) = (every / 2).components
        let pause = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        await cancelWhenGracefulShutdown {
            while true {
                let isWell = loops.stuck.isEmpty
                if isWell { manager.tell("WATCHDOG=1") }
                // What is late and turns again is told at once.
                let next = clock.now.advanced(byMilliseconds: isWell ? pause : 1000)
                try? await clock.sleep(until: next)
                guard !Task.isCancelled else { return }
            }
        }
    }
}
