import Ledger
import Logging
import Planning
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
    // Passwords and links are counted apart. Clients in five larger networks together can use up
    // the tries at an address, because nobody may guess more than a hundred passwords in an hour
    // (OWASP ASVS 4.0, 2.2.1). Its person still signs in in a browser in which they did so before,
    // by a link or with a passkey. Clients in four larger networks can use up the mails to an
    // address, because nobody should get more; its person then uses a password or a passkey.
    private let tries = Limits(
        near: RateLimit(perSecond: 1.0 / 90, burst: 10),
        ofAddress: RateLimit(perSecond: 1.0 / 72, burst: 50))
    private let known = Throttle(Limits.each)
    private let links = Limits(
        near: RateLimit(perSecond: 1.0 / 360, burst: 3),
        ofAddress: RateLimit(perSecond: 1.0 / 60, burst: 10))

    // A larger network asks for sixty mails at once, and then for one in twenty seconds.
    private let networks = Throttle(RateLimit(perSecond: 1.0 / 20, burst: 60))

    init(clock: any WallClock, logger: Logger) {
        self.clock = clock
        self.logger = logger
        (requests, queue) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.waitingMax))
    }

    /// Queues a request and returns at once. A request above a limit is dropped.
    func ask(_ address: String, from client: String, in browser: AccessToken) {
        guard links.let(address, from: client, at: clock.now),
            networks.lets(ClientNetwork.neighbourhood(of: client), at: clock.now)
        else { return }
        queue.yield(Request(address: address, browser: browser))
    }

    /// True if a client may try once more to sign in at an address with a password.
    ///
    /// - Parameters:
    ///   - address: the address as it was typed.
    ///   - client: the network address of the client.
    ///   - person: the id of the person of the address, if they signed in in this browser before:
    ///     all these browsers together have tries of their own, which others cannot use up. `nil`
    ///     in any other browser.
    /// - Returns: true if no limit is reached.
    func letsTry(_ address: String, from client: String, knownAs person: String? = nil) -> Bool {
        let now = clock.now
        if let person, known.lets(person, at: now) { return true }
        return tries.let(address, from: client, at: now)
    }

    /// The limits of one way to sign in.
    private struct Limits {
        // Twenty at once for a client, five of them at one address; then one in 45 seconds, and
        // one in three minutes.
        let clients = Throttle(RateLimit(perSecond: 1.0 / 45, burst: 20))
        static let each = RateLimit(perSecond: 1.0 / 180, burst: 5)
        let each = Throttle(Self.each)
        // The clients of a larger network together have a part of the tries at an address.
        let near: Throttle
        let addresses: Throttle

        init(near: RateLimit, ofAddress limit: RateLimit) {
            self.near = Throttle(near)
            addresses = Throttle(limit)
        }

        func `let`(_ address: String, from client: String, at now: Moment) -> Bool {
            let network = ClientNetwork.name(of: client)
            let near = ClientNetwork.neighbourhood(of: client)
            let address = Planner.mailboxKey(of: address)
            return clients.lets(network, at: now) && each.lets("\(network) \(address)", at: now)
                && self.near.lets("\(near) \(address)", at: now)
                && addresses.lets(address, at: now)
        }
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
