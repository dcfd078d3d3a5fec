import Ledger
import Logging
import Timekeeping

/// Those who ask for their links: whether somebody is known is not to be read from how long an
/// answer takes, so all are answered before anything is looked up.
struct LinkAskers: Sendable {
    /// The most that wait; more than that are not heard.
    static let waitingMax = 100

    private let addresses: AsyncStream<String>
    private let queue: AsyncStream<String>.Continuation
    private let send: @Sendable (String) async throws -> Void

    private let logger: Logger

    /// Askers to whom their links are sent by this.
    init(logger: Logger, send: @escaping @Sendable (String) async throws -> Void) {
        self.logger = logger
        self.send = send
        (addresses, queue) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.waitingMax))
    }

    /// Takes down an address, and returns at once. Who asks too often is not heard: each address
    /// once in twenty minutes, and all together once in six seconds, after the first.
    func ask(_ address: String, at now: Moment) {
        // Who is not heard because of others has not asked.
        guard all.hasRoom("", at: now), each.lets(address.lowercased(), at: now),
            all.lets("", at: now)
        else { return }
        queue.yield(address)
    }

    private let each = Throttle(RateLimit(perSecond: 1.0 / 1200, burst: 3))
    private let all = Throttle(RateLimit(perSecond: 1.0 / 6, burst: 30))

    /// Sends links, one asker after the other, until the task is cancelled. What fails is not done
    /// again: who waits for it in vain asks again.
    func run() async {
        for await address in addresses {
            do {
                try await send(address)
            } catch {
                logger.error("links that somebody asked for cannot be sent: \(error)")
            }
        }
    }
}
