import Foundation
import Glibc
import Notifications
import Planning
import Settings
import Storage
import Timekeeping
import Web

/// A daemon for trying letsmeet out: a new home is filled with sample people and meetings, messages
/// are shown on a page instead of being sent, and the clock can be moved.
extension DaemonProgram {
    /// Runs until SIGTERM, SIGINT, or until the visitor leaves the demo.
    ///
    /// - Throws: ``Refusal`` with `not_empty` if the home has a database already.
    public static func demo(_ arguments: DaemonArguments) async throws {
        let clock = DemoClock(arguments.machine.clock, arguments.machine.gauge)
        let end = clock.now
        let mail = DemoMail()
        var arguments = arguments
        arguments.machine = Machine(
            clock: clock, chance: arguments.machine.chance, uptime: arguments.machine.uptime,
            gauge: clock, boot: arguments.machine.boot)
        try await run(
            arguments,
            home: { surroundings, monitor, logger in
                try checkIsEmpty(surroundings.home)
                clock.set(to: end.advanced(bySeconds: -Int64(DemoScenario.days) * 86_400))
                let home = try await DaemonHome(
                    surroundings, logger: logger, monitor: monitor, gauge: clock,
                    sinks: { _ in [mail] })
                try await fill(home, through: end, clock)
                return home
            }, demo: { controls(of: $0, mail, clock) })
    }

    private static func checkIsEmpty(_ home: Home) throws(Refusal) {
        guard FileManager.default.fileExists(atPath: home.database) else { return }
        throw Refusal(
            .refused, code: "not_empty",
            "\(home.path) has a database already. A demo needs a folder of its own.")
    }

    private static func fill(
        _ home: DaemonHome, through end: Moment, _ clock: DemoClock
    ) async throws {
        let playback = DemoPlayback(store: home.engine.planning.store, clock: clock) {
            _ = try await home.engine.runOnce()
        }
        try await DemoScenario(planner: home.engine.planning, end: end)
            .tell(playing: playback.play)
    }

    private static func controls(
        of home: DaemonHome, _ mail: DemoMail, _ clock: DemoClock
    ) -> DemoControls {
        let store = home.engine.planning.store
        let playback = DemoPlayback(store: store, clock: clock) {
            try await untilSent(home, mail, clock)
        }
        return DemoControls(
            messages: { mail.messages }, play: playback.play, next: { try await store.nextDue() },
            leave: {
                Task {
                    // The last page must reach the browser first.
                    try? await clock.sleep(until: clock.now.advanced(byMilliseconds: 500))
                    kill(getpid(), SIGTERM)
                }
            })
    }

    /// The number of looks, 20 ms apart, after which a step goes on although something is still
    /// due: it may be held back.
    private static let looksMax = 150

    /// Returns when the engine has sent everything that is due.
    private static func untilSent(
        _ home: DaemonHome, _ mail: DemoMail, _ clock: DemoClock
    ) async throws {
        var count = -1
        for _ in 0..<looksMax {
            let due = try await home.engine.planning.store.dueDeliveries(
                through: clock.now, limit: 1)
            let sent = mail.messages.count
            if due.isEmpty, sent == count { return }
            count = sent
            try await clock.sleep(until: clock.now.advanced(byMilliseconds: 20))
        }
    }
}
