import Foundation
import Jobs
import Logging
import Notifications
import Planning
import ServiceLifecycle
import Settings
import Storage

/// Runs the jobs of the crontab.
struct CrontabService: Service, CustomStringConvertible {
    /// The name of the loop in health checks.
    private static let name = "the crontab loop"
    /// The longest time between two iterations: an iteration sleeps for at most a minute.
    private static let turnTime = Duration.seconds(60)

    private let scheduler: JobScheduler
    private let folders: [String]
    private let loops: LoopWatch
    private let logger: Logger

    /// The name under which the service group logs this service at debug level.
    var description: String { "CrontabService" }

    init(home: DaemonHome, machine: Machine, logger: Logger) {
        let engine = home.engine
        let surroundings = home.engine.planning.surroundings
        let loops = engine.monitor.loops
        self.loops = loops
        self.logger = logger
        folders = [
            surroundings.home.path,
            URL(filePath: surroundings.shipped.crontab).deletingLastPathComponent()
                .path(percentEncoded: false),
        ]
        scheduler = JobScheduler(
            runner: JobRunner(
                machine: machine, planner: { engine.planning },
                lookAtZones: { try await home.lookAtZoneRules(logger: logger) }),
            planner: { engine.planning }, machine: machine, logger: logger,
            onIteration: { loops.expect(Self.name, within: Self.turnTime) })
    }

    /// Reads the crontab again, because the configuration may have changed.
    @Sendable func reload() { scheduler.look(reloading: true) }

    func run() async throws {
        let watch = FolderWatch()
        watch.watch(folders)
        defer { loops.forget(Self.name) }
        try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for await _ in watch.changes { scheduler.look() } }
                group.addTask { try await scheduler.run() }
                try await group.next()
                group.cancelAll()
            }
        }
    }
}
