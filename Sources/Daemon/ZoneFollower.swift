import Logging
import Notifications
import Planning
import Storage
import Timekeeping

/// Keeps the times of upcoming meetings, and everything that uses zone rules, in line with the
/// rules installed on the machine.
struct ZoneFollower: Sendable {
    /// The delay after the first change, in seconds. Zone files are replaced one by one, and after
    /// this delay all are there.
    private static let settlingSeconds: Int64 = 2
    /// The interval between unprompted checks, in seconds.
    private static let lookSeconds: Int64 = 3600

    /// The name of the loop in health checks.
    private static let name = "the time zone check"
    /// The longest time that one check takes, however many meetings move.
    private static let lookTime = Duration.seconds(600)

    let home: DaemonHome
    let clock: any WallClock
    let logger: Logger
    /// Called after each check, so that other users of zone rules can follow.
    private let onLook: @Sendable () -> Void
    private let watch = FolderWatch()

    init(
        home: DaemonHome, clock: any WallClock, logger: Logger,
        onLook: @escaping @Sendable () -> Void
    ) {
        self.onLook = onLook
        self.home = home
        self.clock = clock
        self.logger = logger
    }

    /// Checks after each change of the files, whenever `asked` signals, and every hour.
    func run(asked: AsyncStream<Void>) async {
        let (looks, next) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            group.addTask { for await _ in watch.changes { next.yield() } }
            group.addTask { for await _ in asked { next.yield() } }
            group.addTask {
                while await rest(seconds: Self.lookSeconds) { next.yield() }
                next.finish()
            }
            await look()
            for await _ in looks {
                guard await rest(seconds: Self.settlingSeconds) else { return }
                await look()
            }
        }
    }

    private func look() async {
        let loops = home.engine.monitor.loops
        loops.expect(Self.name, within: Self.lookTime)
        defer { loops.forget(Self.name) }
        let zones = await home.followZoneRules(logger: logger)
        onLook()
        let rules = home.engine.planning.surroundings.zones.path
        watch.watch([rules] + zones.map { Self.folder(of: $0, in: rules) })
        logger.debug("time zone rules checked", metadata: ["zones": "\(zones.count)"])
    }

    /// The folder of a zone's file: for "Europe/Helsinki" the folder "Europe".
    private static func folder(of zone: String, in rules: String) -> String {
        "\(rules)/\(zone.split(separator: "/").dropLast().joined(separator: "/"))"
    }

    /// - Returns: false if the task was cancelled before the time passed.
    private func rest(seconds: Int64) async -> Bool {
        do {
            try await clock.sleep(until: clock.now.advanced(bySeconds: seconds))
            return !Task.isCancelled
        } catch {
            return false
        }
    }
}

extension DaemonHome {
    /// Checks the zone rules for a job of the crontab, which reports the outcome.
    func lookAtZoneRules(logger: Logger) async throws -> ZoneRulesOutcome {
        let outcome = try await readZoneRules(isKnownOnly: false, logger: logger)
        outcome.log(to: logger)
        return outcome
    }

    /// Reads the zone rules again. If the rules of an upcoming meeting have changed, its times are
    /// recalculated, and the engine uses the new rules from then on. Failures are logged and stop
    /// nothing else.
    ///
    /// - Parameters:
    ///   - isKnownOnly: whether to skip zones whose rules were never checked.
    ///   - logger: the log for changes.
    /// - Returns: the zones of upcoming meetings that could be read.
    @discardableResult
    func followZoneRules(isKnownOnly: Bool = false, logger: Logger) async -> [String] {
        do {
            let outcome = try await readZoneRules(isKnownOnly: isKnownOnly, logger: logger)
            outcome.log(to: logger)
            return outcome.inUse
        } catch is CancellationError {
            return []
        } catch {
            logger.error("cannot apply the time zone rules: \(error)")
            return []
        }
    }

    private func readZoneRules(
        isKnownOnly: Bool, logger: Logger
    ) async throws -> ZoneRulesOutcome {
        let zones = ZoneDirectory(path: engine.planning.surroundings.zones.path)
        let outcome = try await engine.planning.reading(zones)
            .followZoneRules(isKnownOnly: isKnownOnly)
        guard !outcome.changed.isEmpty else { return outcome }
        // The configuration may have been reloaded meanwhile.
        let planner = engine.planning.reading(zones)
        engine.use(
            rulesOf: try Self.parts(planner.surroundings, logger: logger), planner: planner)
        return outcome
    }
}

extension ZoneRulesOutcome {
    fileprivate func log(to logger: Logger) {
        for zone in missing {
            logger.warning(
                "no rules for the zone of upcoming meetings: their times stay the same",
                metadata: ["zone": "\(zone)"])
        }
        for zone in changed {
            let count = moved.count { $0.zone == zone }
            logger.warning(
                "the rules of a time zone changed",
                metadata: ["zone": "\(zone)", "moved": "\(count)"])
        }
        for meeting in moved {
            logger.warning(
                "a meeting moved because the rules of its zone changed",
                metadata: [
                    "meeting": "\(meeting.id)", "zone": "\(meeting.zone)",
                    "from": "\(meeting.startedAt)", "to": "\(meeting.startsAt)",
                ])
        }
    }
}
