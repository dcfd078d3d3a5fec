import Logging
import Notifications
import Planning
import ServiceLifecycle
import Settings
import Timekeeping

/// Looks for answers that come in by mail, where a folder for them is set up.
struct MailService: Service, CustomStringConvertible {
    /// What it is called where somebody asks whether all loops turn.
    private static let name = "the look for answers by mail"
    /// No look takes longer.
    private static let lookTime = Duration.seconds(900)
    /// The pauses between two looks, in seconds: the first one as long as all is well, and longer
    /// ones the longer it is not.
    private static let pausesSeconds: [Int64] = [30, 60, 120, 300, 900]

    /// How long ``lookOnce(_:logger:)`` may keep others waiting, in seconds.
    private static let onceSecondsMax = 20

    let home: DaemonHome
    /// The machine's clock.
    let clock: any WallClock
    let logger: Logger
    /// Called when there is a new configuration.
    private let news = WakeSignal()

    init(home: DaemonHome, clock: any WallClock, logger: Logger) {
        self.home = home
        self.clock = clock
        self.logger = logger
    }

    /// The configuration may be another: it is looked at once, and what was wrong counts no more.
    @Sendable func readAnew() { news.wake() }

    /// Its group logs this at debug.
    var description: String { "MailService" }

    func run() async throws {
        let poller = MailPoller()
        await cancelWhenGracefulShutdown {
            var trouble = Trouble()
            while !Task.isCancelled {
                let isMore = await look(poller, &trouble)
                guard !isMore else { continue }
                let pause = Self.pausesSeconds[min(trouble.count, Self.pausesSeconds.count - 1)]
                let isNew = await news.wait(
                    until: clock.now.advanced(bySeconds: pause), on: clock)
                if isNew { trouble = Trouble() }
            }
        }
    }

    /// Says what is wrong once, as long as it stays the same.
    private struct Trouble {
        var count = 0
        var words: [String] = []

        /// - Returns: what is to be told of it.
        mutating func note(_ problems: [String]) -> [String] {
            defer { words = problems }
            count = problems.isEmpty ? 0 : count + 1
            return problems == words ? [] : problems
        }
    }

    /// - Returns: whether there is more to look at.
    private func look(_ poller: MailPoller, _ trouble: inout Trouble) async -> Bool {
        let loops = home.engine.monitor.loops
        loops.expect(Self.name, within: Self.lookTime)
        defer { loops.forget(Self.name) }
        guard let (problems, isMore) = await Self.look(home, poller, logger: logger),
            !Task.isCancelled
        else { return false }
        let wasIll = trouble.count > 0
        for problem in trouble.note(problems) { Self.warn(problem, logger) }
        if wasIll, problems.isEmpty { logger.info("answers by mail are taken again") }
        return isMore
    }

    /// Looks at all folders that are set up until nothing is left, for a while at most, and says
    /// what is wrong.
    static func lookOnce(_ home: DaemonHome, logger: Logger) async {
        let uptime = home.planner.surroundings.uptime
        let end = uptime() + .seconds(onceSecondsMax)
        let poller = MailPoller(secondsMax: onceSecondsMax)
        var isMore = true
        while isMore, uptime() < end {
            let (problems, more) = await look(home, poller, logger: logger) ?? ([], false)
            for problem in problems { warn(problem, logger) }
            isMore = more
        }
    }

    private static func look(
        _ home: DaemonHome, _ poller: MailPoller, logger: Logger
    ) async -> (problems: [String], isMore: Bool)? {
        let planner = home.engine.planning
        guard planner.surroundings.hasMailFolder else { return ([], false) }
        do {
            let round = try await poller.look(planner)
            for receipt in round.taken {
                logger.info(
                    receipt.outcome == .bounced ? "a mail came back" : "an answer came by mail",
                    metadata: receipt.meeting.map { ["meeting": "\($0)"] })
            }
            for remark in round.remarks { logger.warning("\(remark)") }
            return (round.problems, round.isMore)
        } catch let refusal as Refusal where refusal.code == "mail_folder_taken" {
            // Somebody looks by hand: it is looked at.
            return nil
        } catch is CancellationError {
            return nil
        } catch {
            return ([Refusal(error).message], false)
        }
    }

    private static func warn(_ problem: String, _ logger: Logger) {
        logger.warning("answers by mail cannot be taken: \(problem)")
    }
}
