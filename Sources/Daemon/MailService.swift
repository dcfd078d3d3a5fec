import Agenda
import Inbox
import Logging
import Notifications
import Planning
import ServiceLifecycle
import Settings
import Timekeeping

/// Reads answers that arrive by mail, if a mail folder is configured.
struct MailService: Service, CustomStringConvertible {
    /// The name of the loop in health checks.
    private static let name = "the mail check"
    /// The longest time that one check takes.
    private static let lookTime = Duration.seconds(900)
    /// The pauses between two checks, in seconds: the first one after success, and longer ones
    /// after repeated failures.
    private static let pausesSeconds: [Int64] = [30, 60, 120, 300, 900]

    /// The longest time that ``lookOnce(_:logger:)`` takes, in seconds.
    private static let onceSecondsMax = 20

    let home: DaemonHome
    /// The clock of the machine.
    let clock: any WallClock
    let logger: Logger
    /// Signals a new configuration.
    private let news = WakeSignal()

    init(home: DaemonHome, clock: any WallClock, logger: Logger) {
        self.home = home
        self.clock = clock
        self.logger = logger
    }

    /// Checks at once with the new configuration, and forgets earlier problems.
    @Sendable func reload() { news.wake() }

    /// The name under which the service group logs this service at debug level.
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

    /// Remembers problems, so that each is logged once as long as it persists.
    private struct Trouble {
        var count = 0
        var words: [String] = []

        /// - Returns: the problems to log: all of them if they changed, otherwise none.
        mutating func note(_ problems: [String]) -> [String] {
            defer { words = problems }
            count = problems.isEmpty ? 0 : count + 1
            return problems == words ? [] : problems
        }
    }

    /// - Returns: true if there is more mail to read.
    private func look(_ poller: MailPoller, _ trouble: inout Trouble) async -> Bool {
        let loops = home.engine.monitor.loops
        loops.expect(Self.name, within: Self.lookTime)
        defer { loops.forget(Self.name) }
        guard let (problems, isMore) = await Self.look(home, poller, logger: logger),
            !Task.isCancelled
        else { return false }
        let wasIll = trouble.count > 0
        for problem in trouble.note(problems) { Self.warn(problem, logger) }
        if wasIll, problems.isEmpty { logger.info("answers by mail are read again") }
        return isMore
    }

    /// Reads all configured folders until they are empty or the time limit has passed, and logs the
    /// problems.
    static func lookOnce(_ home: DaemonHome, logger: Logger) async {
        let uptime = home.engine.planning.surroundings.uptime
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
                    Self.words(for: receipt.outcome),
                    metadata: receipt.meeting.map { ["meeting": "\($0)"] })
            }
            for receipt in round.ignored {
                logger.notice(
                    "a mail was not taken: \(receipt.reason)",
                    metadata: receipt.meeting.map { ["meeting": "\($0)"] })
            }
            for remark in round.remarks { logger.warning("\(remark.text)") }
            return (round.problems, round.isMore)
        } catch let refusal as Refusal where refusal.code == "mail_folder_taken" {
            // Another program, such as `letsmeet mail`, is reading the folder now.
            return nil
        } catch is CancellationError {
            return nil
        } catch {
            return ([Refusal(error).message], false)
        }
    }

    private static func words(for outcome: MailReceipt.Outcome) -> Logger.Message {
        switch outcome {
        case .bounced: "a mail bounced"
        case .complained: "a reader complained about a mail, and gets no more mail"
        case .answered, .proposed, .ignored: "an answer arrived by mail"
        }
    }

    private static func warn(_ problem: String, _ logger: Logger) {
        logger.warning("cannot read answers by mail: \(problem)")
    }
}
