import Logging
import Notifications
import Planning
import ServiceLifecycle
import Settings
import Storage
import UnixSignals

/// Runs the delivery engine, and gives it new parts after each SIGHUP and new zone rules.
struct DeliveryService: Service, CustomStringConvertible {
    let home: DaemonHome
    let arguments: DaemonArguments
    /// Where the daemon answers requests, for as long as it runs.
    let address: ListenAddress?
    let logger: Logger
    /// Asks for new parts.
    let hangups: UnixSignalsSequence
    /// Told when there are, and when zone rules may be others.
    let onNewConfiguration: @Sendable () -> Void

    /// Its group logs this at debug: else all that it holds, the owner's address with it.
    var description: String { "DeliveryService" }

    func run() async throws {
        do {
            try await work(try watch())
        } catch let loss as StoreLoss {
            logger.error("\(loss)")
            throw loss
        }
    }

    /// A folder that went away before it was watched is a loss like any later one.
    private func watch() throws -> StoreWatch {
        do {
            return try StoreWatch(path: home.planner.store.path)
        } catch {
            try home.planner.store.checkFile()
            throw error
        }
    }

    private func work(_ watch: StoreWatch) async throws {
        let follower = ZoneFollower(
            home: home, clock: home.planner.surroundings.waitClock, logger: logger,
            onLook: onNewConfiguration)
        let series = SeriesPlanner(
            home: home, clock: home.planner.surroundings.waitClock, logger: logger)
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await home.engine.run(watch: watch) }
                group.addTask {
                    for await _ in hangups {
                        takeNewConfiguration()
                        await home.followSinks(logger: logger)
                        ask.yield()
                    }
                }
                group.addTask { await follower.run(asked: asked) }
                group.addTask { await series.run() }
                try await group.next()
                group.cancelAll()
            }
        }
    }

    /// What is broken now must not stop what worked before.
    private func takeNewConfiguration() {
        do {
            let surroundings = try arguments.surroundings()
            if try surroundings.configuration.listenAddress() != address {
                logger.warning("another LETSMEET_LISTEN counts from the next start on")
            }
            try home.use(surroundings, logger: logger)
            onNewConfiguration()
            logger.info("configuration and templates read anew")
        } catch {
            logger.error("the new configuration is not taken: \(Refusal(error).message)")
        }
    }
}
