import Ledger
import Logging
import Secrets
import Timekeeping

/// The queue of requests for links that sign in. Each request is answered before the address is
/// looked up, so that neither the answer nor its time reveals whether an address has an account.
struct SignInAskers: Sendable {
    /// A request.
    struct Request: Sendable {
        let address: String
        let browser: AccessToken
    }

    /// The most requests in the queue. Further requests are dropped.
    static let waitingMax = 100

    private let requests: AsyncStream<Request>
    private let queue: AsyncStream<Request>.Continuation
    private let clock: any WallClock
    private let logger: Logger
    // Five in 15 minutes for an address, twenty for a client; then one in three minutes, and one in
    // 45 seconds. Nobody is locked out.
    private let each = Throttle(RateLimit(perSecond: 1.0 / 180, burst: 5))
    private let clients = Throttle(RateLimit(perSecond: 1.0 / 45, burst: 20))

    init(clock: any WallClock, logger: Logger) {
        self.clock = clock
        self.logger = logger
        (requests, queue) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.waitingMax))
    }

    /// Queues a request and returns at once. A request above a limit is dropped.
    func ask(_ address: String, from client: String, in browser: AccessToken) {
        guard lets(address, from: client) else { return }
        queue.yield(Request(address: address, browser: browser))
    }

    /// True if a client may try once more to sign in at an address.
    func lets(_ address: String, from client: String) -> Bool {
        let now = clock.now
        return clients.lets(ClientNetwork.name(of: client), at: now)
            && each.lets(address.lowercased(), at: now)
    }

    /// Carries requests out, one after the other, until the task is cancelled.
    func run(_ send: @Sendable (Request) async throws -> Void) async {
        for await request in requests {
            do {
                try await send(request)
            } catch {
                logger.error("cannot send a link that signs in: \(error)")
            }
        }
    }
}
