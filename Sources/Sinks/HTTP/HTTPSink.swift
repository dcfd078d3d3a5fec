import Agenda
public import Ledger
import Secrets
import Timekeeping
public import Transport

/// Sends each delivery as a request to a service.
public struct HTTPSink: Sink {
    /// The name of the service.
    public let name: String
    /// The schedule of retries.
    public let schedule: RetrySchedule
    /// A request may arrive twice; its identifier shows that.
    public let policy = AmbiguityPolicy.resend
    /// The maximum number of connections for each channel.
    public var connectionsMax: Int

    private let service: any HTTPService.Type
    private let client: HTTPClient
    /// The client for targets to which no exceptions for private addresses apply.
    private let publicClient: @Sendable () throws(SinkFault) -> HTTPClient
    private let clock: any WallClock
    /// The target of deliveries that name no channel.
    private let standard: ChannelTarget?

    init(
        _ service: any HTTPService.Type, client: HTTPClient,
        publicClient: @escaping @Sendable () throws(SinkFault) -> HTTPClient,
        clock: any WallClock, standard: ChannelTarget?
    ) {
        self.service = service
        self.client = client
        self.publicClient = publicClient
        self.clock = clock
        self.standard = standard
        name = service.kind.name
        schedule = service.schedule
        connectionsMax = service.limits.concurrency
    }

    /// The limits of each channel: two deliveries for each connection, so that the next request is
    /// ready when one gets its response.
    public var limits: DestinationLimits {
        DestinationLimits(concurrency: 2 * connectionsMax, rate: service.limits.rate)
    }

    /// Each channel has its own receiver.
    public func destination(of address: String) -> String {
        address.isEmpty ? name : "\(name) \(address)"
    }

    /// Sends the request and waits for the response.
    public func deliver(_ outgoing: OutgoingMessage) async -> AttemptReport {
        guard let target = outgoing.target ?? (outgoing.channel.isEmpty ? standard : nil) else {
            return outgoing.channel.isEmpty
                ? AttemptReport(.misconfigured, reply: "no address is set for \(name)")
                : AttemptReport(
                    .permanent, code: "removed",
                    reply: "the channel \(outgoing.channel) no longer exists")
        }
        if let closure = outgoing.closure, closure.addressHash == Self.hash(of: target.url) {
            return AttemptReport(
                .permanent, code: AttemptReport.closedCode,
                reply: "the channel is closed: \(closure.reason)")
        }
        return await exchange(outgoing, target)
    }

    /// The code of a receiver that refuses all further messages.
    static let goneCode = "410"

    private func exchange(_ outgoing: OutgoingMessage, _ target: ChannelTarget) async
        -> AttemptReport
    {
        do {
            let request = try request(for: outgoing, to: target)
            let client = target.isPublicOnly ? try publicClient() : client
            return report(.success(try await client.send(request)), of: target)
        } catch let error as TransportError {
            return report(.failure(error), of: target)
        } catch let fault as UnsendableMessage {
            return AttemptReport(.permanent, code: "bad-request", reply: fault.reason)
        } catch {
            return AttemptReport(
                .misconfigured, code: "bad-request", reply: SinkFault.words(of: error)
            ).hiding(HiddenWords(service.secrets(of: target)))
        }
    }

    private func report(
        _ outcome: Result<HTTPResponse, TransportError>, of target: ChannelTarget
    ) -> AttemptReport {
        var report =
            switch outcome {
            // Only this clock tells the century of a date with a year of two digits.
            case .success(let response): service.report(response.dated(clock.now), of: target)
            case .failure(let error): HTTPVerdict.report(error)
            }
        // A receiver may repeat the request in its response.
        if !report.reply.isEmpty {
            report = report.hiding(HiddenWords(service.secrets(of: target)))
        }
        if report.code == HTTPSink.goneCode, report.outcome == .permanent {
            report.closedAddressHash = Self.hash(of: target.url)
        }
        return report
    }

    /// The request that delivers a message to the target in the configuration; `nil` if the
    /// configuration sets none.
    public func request(for outgoing: OutgoingMessage) throws -> HTTPRequest? {
        try standard.map { try request(for: outgoing, to: $0) }
    }

    private func request(for outgoing: OutgoingMessage, to target: ChannelTarget) throws
        -> HTTPRequest
    {
        var request = try service.request(for: outgoing, to: target, at: clock.now)
        request.queue = HTTPQueue(
            destination(of: outgoing.channel), concurrency: connectionsMax,
            isWanted: outgoing.isWanted
        ) { [onFailure = outgoing.onFailure] in
            let report = report($0, of: target)
            if report.outcome != .accepted { onFailure(report) }
        }
        return request
    }

    private static func hash(of url: String) -> String {
        Hexadecimal.text(SHA256.hash(url.utf8))
    }
}

extension AttemptReport {
    /// The report with three asterisks in place of secret words.
    fileprivate func hiding(_ words: HiddenWords) -> AttemptReport {
        AttemptReport(
            outcome, code: code, reply: words.hidden(in: reply),
            retryAfterSeconds: retryAfterSeconds, retryAt: retryAt,
            concernsReceiverOnly: concernsReceiverOnly, isAddressBad: isAddressBad)
    }
}
