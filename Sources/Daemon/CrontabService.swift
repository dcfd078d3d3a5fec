import Foundation
import Jobs
import Logging
import Notifications
import Planning
import ServiceLifecycle
import Settings
import Storage

/// Runs what the crontab says.
struct CrontabService: Service, CustomStringConvertible {
    /// What it is called where somebody asks whether all loops turn.
    private static let name = "the loop of the crontab"
    /// A turn takes no longer: it sleeps for a minute at most.
    private static let turnTime = Duration.seconds(60)

    private let scheduler: JobScheduler
    private let folders: [String]
    private let loops: LoopWatch
    private let logger: Logger

    /// Its group logs this at debug.
    var description: String { "CrontabService" }

    init(home: DaemonHome, machine: Machine, logger: Logger) {
        let engine = home.engine
        let surroundings = home.planner.surroundings
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
            turns: { loops.expect(Self.name, within: Self.turnTime) })
    }

    /// The configuration may be another: what it says of the crontab counts from now on.
    @Sendable func readAnew() { scheduler.look(readingAnew: true) }

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
