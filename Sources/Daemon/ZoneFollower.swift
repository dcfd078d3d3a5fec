import Logging
import Notifications
import Planning
import Storage
import Timekeeping

/// Keeps the moments of coming meetings, and all that knows zone rules, in line with the rules of
/// the machine.
struct ZoneFollower: Sendable {
    /// Files are replaced one after the other: so long after the first, all are there. In seconds.
    private static let settlingSeconds: Int64 = 2
    /// How often it looks unasked, in seconds.
    private static let lookSeconds: Int64 = 3600

    /// What it is called where somebody asks whether all loops turn.
    private static let name = "the look at the rules of time zones"
    /// No look takes longer, however many meetings move.
    private static let lookTime = Duration.seconds(600)

    let home: DaemonHome
    let clock: any WallClock
    let logger: Logger
    /// Told after each look: others know zone rules, too.
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

    /// Looks after each change of the files, whenever `asked` says so, and each hour.
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
        logger.debug("looked at the rules of time zones", metadata: ["zones": "\(zones.count)"])
    }

    /// Where the file of a zone lies: in "Europe" that of "Europe/Helsinki".
    private static func folder(of zone: String, in rules: String) -> String {
        "\(rules)/\(zone.split(separator: "/").dropLast().joined(separator: "/"))"
    }

    /// - Returns: whether the time passed; not where the task was cancelled.
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
    /// The same for a job of the crontab, which tells what came of it.
    func lookAtZoneRules(logger: Logger) async throws -> ZoneRulesOutcome {
        let outcome = try await readZoneRules(isKnownOnly: false, logger: logger)
        outcome.log(to: logger)
        return outcome
    }

    /// Reads the rules of zones anew. Where those of a coming meeting are other than before, its
    /// moments are, and all that delivers goes by the new ones from then on. What cannot be done is
    /// logged, and holds up nothing.
    ///
    /// - Parameters:
    ///   - isKnownOnly: whether zones are left out whose rules were never looked at.
    ///   - logger: is told what changed.
    /// - Returns: the zones of coming meetings, as far as they could be read.
    @discardableResult
    func followZoneRules(isKnownOnly: Bool = false, logger: Logger) async -> [String] {
        do {
            let outcome = try await readZoneRules(isKnownOnly: isKnownOnly, logger: logger)
            outcome.log(to: logger)
            return outcome.inUse
        } catch is CancellationError {
            return []
        } catch {
            logger.error("the rules of time zones cannot be followed: \(error)")
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
        // The configuration may have been read anew meanwhile.
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
                "no rules for the zone of coming meetings: they stay at their times",
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
                "a meeting moved with the rules of its zone",
                metadata: [
                    "meeting": "\(meeting.id)", "zone": "\(meeting.zone)",
                    "from": "\(meeting.startedAt)", "to": "\(meeting.startsAt)",
                ])
        }
    }
}
