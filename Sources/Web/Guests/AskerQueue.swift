import Ledger
import Logging
import Timekeeping

/// A queue of requests for links that are sent by mail. Each request is answered before its address
/// is looked up, so that neither the answer nor its time reveals whether the address is known.
///
/// No limit is applied before the look-up: requests with other addresses, from whatever network,
/// cannot keep a known address from its mail.
struct AskerQueue<Request: Sendable>: Sendable {
    private let requests: AsyncStream<Request>
    private let queue: AsyncStream<Request>.Continuation
    private let logger: Logger
    /// One line a minute in the log.
    private let reports = Throttle(RateLimit(perSecond: 1.0 / 60, burst: 1))

    /// The most requests in the queue. Further requests are dropped. A look-up takes less time than
    /// receiving a request, so that only a store that does not respond fills the queue.
    static var waitingMax: Int { 10_000 }

    init(logger: Logger) {
        self.logger = logger
        (requests, queue) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.waitingMax))
    }

    /// Queues a request and returns at once.
    func add(_ request: Request, at now: Moment) {
        if case .dropped = queue.yield(request), reports.lets("", at: now) {
            logger.warning("requests for links are dropped, because too many are waiting")
        }
    }

    /// Carries requests out, one after the other, until the task is cancelled. A failure is not
    /// retried: people can ask for a link again.
    func run(_ send: @Sendable (Request) async throws -> Void) async {
        for await request in requests {
            do {
                try await send(request)
            } catch {
                logger.error("cannot send a requested link: \(error)")
            }
        }
    }
}
