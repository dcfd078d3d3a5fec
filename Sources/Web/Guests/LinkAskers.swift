import Ledger
import Logging
import Timekeeping

/// The queue of requests for links. Each request is answered before the address is looked up, so
/// that the response time does not reveal whether an address is known.
struct LinkAskers: Sendable {
    /// The most requests in the queue. Further requests are dropped.
    static let waitingMax = 100

    private let addresses: AsyncStream<String>
    private let queue: AsyncStream<String>.Continuation
    private let send: @Sendable (String) async throws -> Void

    private let logger: Logger

    /// A queue whose requests are carried out by `send`.
    init(logger: Logger, send: @escaping @Sendable (String) async throws -> Void) {
        self.logger = logger
        self.send = send
        (addresses, queue) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.waitingMax))
    }

    /// Queues a request and returns at once. Each address has a limit of one request in 20 minutes
    /// after a burst of 3, and all addresses together have one request in 6 seconds after a burst
    /// of 30. Requests above a limit are dropped.
    func ask(_ address: String, at now: Moment) {
        // A request that is dropped because of the common limit does not count against its own
        // address.
        guard all.hasRoom("", at: now), each.lets(address.lowercased(), at: now),
            all.lets("", at: now)
        else { return }
        queue.yield(address)
    }

    private let each = Throttle(RateLimit(perSecond: 1.0 / 1200, burst: 3))
    private let all = Throttle(RateLimit(perSecond: 1.0 / 6, burst: 30))

    /// Sends links, one request after the other, until the task is cancelled. A failure is not
    /// retried: the guest can request the links again.
    func run() async {
        for await address in addresses {
            do {
                try await send(address)
            } catch {
                logger.error("cannot send requested links: \(error)")
            }
        }
    }
}
