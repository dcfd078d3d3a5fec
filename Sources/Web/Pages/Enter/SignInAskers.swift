import Ledger
import Logging
import Planning
import Secrets
import Timekeeping

/// The requests for links that sign in, and the tries to sign in with a password.
struct SignInAskers: Sendable {
    /// A request.
    struct Request: Sendable {
        let address: String
        /// The network address of the client that asks.
        let client: String
        let browser: AccessToken
    }

    /// The most octets of an address (RFC 5321, 4.5.3.1.3). Longer texts are no addresses.
    static let addressOctetsMax = 254

    private let queue: AskerQueue<Request>
    private let clock: any WallClock
    // Passwords and links are counted apart. Clients in five larger networks together can use up
    // the tries at an address, because nobody may guess more than a hundred passwords in an hour
    // (OWASP ASVS 4.0, 2.2.1). Its person still signs in in a browser in which they did so before,
    // by a link or with a passkey. Clients in four larger networks can use up the mails to an
    // address, because nobody should get more; its person then uses a password or a passkey.
    private let tries = AddressLimits(
        near: RateLimit(perSecond: 1.0 / 90, burst: 10),
        ofAddress: RateLimit(perSecond: 1.0 / 72, burst: 50))
    // Twenty tries at once for a client, five of them at one address; then one in 45 seconds, and
    // one in three minutes.
    private let clients = Throttle(RateLimit(perSecond: 1.0 / 45, burst: 20))
    private static let eachTry = RateLimit(perSecond: 1.0 / 180, burst: 5)
    private let each = Throttle(Self.eachTry)
    private let known = Throttle(Self.eachTry)
    private let links = AddressLimits(
        near: RateLimit(perSecond: 1.0 / 360, burst: 3),
        ofAddress: RateLimit(perSecond: 1.0 / 60, burst: 10))
    private let strangers = StrangerLimits()

    init(clock: any WallClock, logger: Logger) {
        self.clock = clock
        queue = AskerQueue(logger: logger)
    }

    /// Queues a request and returns at once. A request above a limit is dropped.
    func ask(_ address: String, from client: String, in browser: AccessToken) {
        guard address.utf8.count <= Self.addressOctetsMax else { return }
        queue.add(Request(address: address, client: client, browser: browser), at: clock.now)
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
        let network = ClientNetwork.name(of: client)
        let address = Planner.mailboxKey(of: address)
        return clients.lets(network, at: now) && each.lets("\(network) \(address)", at: now)
            && tries.let(address, from: client, at: now)
    }

    /// Carries requests out, one after the other, until the task is cancelled.
    ///
    /// - Parameter send: mails a link. It asks once whether it may, when it knows who asks.
    func run(
        _ send: @Sendable (Request, _ isAdmitted: (LinkAsker) -> Bool) async throws -> Void
    ) async {
        await queue.run { request in
            try await send(request) { admits($0, request) }
        }
    }

    /// True if a mail may go to the address of a request. Strangers have limits of their own, so
    /// that they never use up those of a known address.
    private func admits(_ asker: LinkAsker, _ request: Request) -> Bool {
        let address = Planner.mailboxKey(of: request.address)
        return switch asker {
        case .known: links.let(address, from: request.client, at: clock.now)
        case .stranger: strangers.let(address, from: request.client, at: clock.now)
        }
    }
}

/// Limits of what clients do at an address.
private struct AddressLimits: Sendable {
    // The clients of a larger network together have a part of the limit of an address.
    private let near: Throttle
    private let addresses: Throttle

    init(near: RateLimit, ofAddress limit: RateLimit) {
        self.near = Throttle(near)
        addresses = Throttle(limit)
    }

    func `let`(_ address: String, from client: String, at now: Moment) -> Bool {
        let near = ClientNetwork.neighbourhood(of: client)
        return self.near.lets("\(near) \(address)", at: now)
            && addresses.lets(address, at: now)
    }
}

/// Limits of the mails to addresses that are not known. Members of a club who register in one room
/// all get theirs, and nobody can send many mails to strangers through this server.
private struct StrangerLimits: Sendable {
    // At once and then: 100 and one in 36 seconds for all together, 60 and one in 20 seconds for a
    // larger network, 20 and one in 45 seconds for a client, 2 and one in an hour to an address.
    private let all = Throttle(RateLimit(perSecond: 1.0 / 36, burst: 100))
    private let networks = Throttle(RateLimit(perSecond: 1.0 / 20, burst: 60))
    private let clients = Throttle(RateLimit(perSecond: 1.0 / 45, burst: 20))
    private let addresses = Throttle(RateLimit(perSecond: 1.0 / 3600, burst: 2))

    func `let`(_ address: String, from client: String, at now: Moment) -> Bool {
        addresses.lets(address, at: now)
            && clients.lets(ClientNetwork.name(of: client), at: now)
            && networks.lets(ClientNetwork.neighbourhood(of: client), at: now)
            && all.lets("", at: now)
    }
}
