import Logging
import Notifications
import Planning
import ServiceLifecycle
import Settings
import Storage
import UnixSignals

/// Runs the delivery engine, and rebuilds its parts after each SIGHUP and when zone rules change.
struct DeliveryService: Service, CustomStringConvertible {
    let home: DaemonHome
    let arguments: DaemonArguments
    /// The address on which the daemon listens; fixed for its lifetime.
    let address: ListenAddress?
    let logger: Logger
    /// The SIGHUP signals, which ask for a reload.
    let hangups: UnixSignalsSequence
    /// Called after a reload and after each check of the zone rules.
    let onNewConfiguration: @Sendable () -> Void

    /// The name under which the service group logs this service at debug level. Without it, the log
    /// would contain all properties, including the owner's mail address.
    var description: String { "DeliveryService" }

    func run() async throws {
        do {
            try await work(try watch())
        } catch let loss as StoreLoss {
            logger.error("\(loss)")
            throw loss
        }
    }

    /// Watches the database folder. A folder removed before this counts as a lost database.
    private func watch() throws -> StoreWatch {
        do {
            return try StoreWatch(path: home.engine.planning.store.path)
        } catch {
            try home.engine.planning.store.checkFile()
            throw error
        }
    }

    private func work(_ watch: StoreWatch) async throws {
        let follower = ZoneFollower(
            home: home, clock: home.engine.planning.surroundings.waitClock, logger: logger,
            onLook: onNewConfiguration)
        let series = SeriesPlanner(
            home: home, clock: home.engine.planning.surroundings.waitClock, logger: logger)
        let minimums = MinimumWatch(
            home: home, clock: home.engine.planning.surroundings.waitClock, logger: logger)
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await home.engine.run(watch: watch) }
                group.addTask {
                    for await _ in hangups {
                        takeNewConfiguration()
                        await home.followSettings(logger: logger)
                        ask.yield()
                    }
                }
                group.addTask { await follower.run(asked: asked) }
                group.addTask { await series.run() }
                group.addTask { await minimums.run() }
                try await group.next()
                group.cancelAll()
            }
        }
    }

    /// Reloads the configuration. If the new one has faults, the old one stays in use.
    private func takeNewConfiguration() {
        do {
            let surroundings = try arguments.surroundings()
            let configuration = surroundings.configuration
            if try configuration.listenAddress() != address {
                let place = configuration.place(of: .listen)
                logger.warning("\(place): the new address takes effect at the next start")
            }
            try home.use(surroundings, logger: logger)
            onNewConfiguration()
            logger.info("configuration and templates reloaded")
        } catch {
            logger.error("the new configuration is not used: \(Refusal(error).message)")
        }
    }
}
