import Ledger
import Logging
import Planning
import Timekeeping

/// The queue of requests for links. Each request is answered before the address is looked up, so
/// that the response time does not reveal whether an address is known.
struct LinkAskers: Sendable {
    /// The most requests in the queue. Further requests are dropped.
    static let waitingMax = 100

    private let addresses: AsyncStream<String>
    private let queue: AsyncStream<String>.Continuation
    private let send: Sender

    private let logger: Logger
    private let now: @Sendable () -> Moment

    /// Sends the links of an address. If the address is known, it asks once whether it may.
    typealias Sender =
        @Sendable (_ address: String, _ isAdmitted: () -> Bool) async throws -> Void

    /// A queue whose requests are carried out by `send`.
    init(logger: Logger, clock: @escaping @Sendable () -> Moment, send: @escaping Sender) {
        now = clock
        self.logger = logger
        self.send = send
        (addresses, queue) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.waitingMax))
    }

    /// Queues a request and returns at once. Each client has a limit of one request in 45 seconds
    /// after a burst of 20. Each address has a limit of one request in 20 minutes after a burst of
    /// 3, and all addresses that are known have one request in 6 seconds together after a burst of
    /// 30. Requests above a limit are dropped.
    func ask(_ address: String, from client: String, at now: Moment) {
        guard clients.lets(ClientNetwork.name(of: client), at: now),
            each.lets(Planner.mailboxKey(of: address), at: now)
        else { return }
        if case .dropped = queue.yield(address), reports.lets("", at: now) {
            logger.warning("requests for links are dropped, because too many are waiting")
        }
    }

    private let clients = Throttle(RateLimit(perSecond: 1.0 / 45, burst: 20))
    /// One line a minute in the log.
    private let reports = Throttle(RateLimit(perSecond: 1.0 / 60, burst: 1))
    private let each = Throttle(RateLimit(perSecond: 1.0 / 1200, burst: 3))
    private let all = Throttle(RateLimit(perSecond: 1.0 / 6, burst: 30))

    /// Sends links, one request after the other, until the task is cancelled. A failure is not
    /// retried: the guest can request the links again.
    func run() async {
        for await address in addresses {
            do {
                // Requests with unknown addresses cannot use up the limit of the others.
                try await send(address) { all.lets("", at: now()) }
            } catch {
                logger.error("cannot send requested links: \(error)")
            }
        }
    }
}
