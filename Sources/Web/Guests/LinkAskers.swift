import Ledger
import Logging
import Planning
import Timekeeping

/// The requests of guests for their links.
struct LinkAskers: Sendable {
    /// Sends the links of an address. If the address is known, it asks once whether it may.
    typealias Sender =
        @Sendable (_ address: String, _ isAdmitted: () -> Bool) async throws -> Void

    private let queue: AskerQueue<String>
    private let send: Sender
    private let now: @Sendable () -> Moment
    /// Three requests at once, then one in 20 minutes. Only known addresses are counted: unknown
    /// ones get no mail.
    private let each = Throttle(RateLimit(perSecond: 1.0 / 1200, burst: 3))

    /// Requests that are carried out by `send`.
    init(logger: Logger, clock: @escaping @Sendable () -> Moment, send: @escaping Sender) {
        now = clock
        queue = AskerQueue(logger: logger)
        self.send = send
    }

    /// Queues a request and returns at once. A request above the limit of its address is dropped.
    func ask(_ address: String, at now: Moment) { queue.add(address, at: now) }

    /// Sends links, one request after the other, until the task is cancelled.
    func run() async {
        await queue.run { address in
            try await send(address) { each.lets(Planner.mailboxKey(of: address), at: now()) }
        }
    }
}
