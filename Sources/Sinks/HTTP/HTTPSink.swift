import Agenda
public import Ledger
import Secrets
import Timekeeping
import Transport

/// Sends each delivery as a request to a service.
public struct HTTPSink: Sink {
    /// The name of the service.
    public let name: String
    /// When to try again.
    public let schedule: RetrySchedule
    /// A request may come twice; what it bears as its name says so.
    public let policy = AmbiguityPolicy.resend
    /// What each channel is spared.
    public let limits: LaneLimits

    private let service: any HTTPService.Type
    private let client: HTTPClient
    private let clock: any WallClock
    /// Where deliveries go that name no channel of somebody's own.
    private let standard: ChannelTarget?

    init(
        _ service: any HTTPService.Type, client: HTTPClient, clock: any WallClock,
        standard: ChannelTarget?
    ) {
        self.service = service
        self.client = client
        self.clock = clock
        self.standard = standard
        name = service.channel.name
        schedule = service.schedule
        limits = service.limits
    }

    /// Each channel has a receiver of its own.
    public func destination(of address: String) -> String {
        address.isEmpty ? name : "\(name) \(address)"
    }

    /// Sends the request, and waits for the answer.
    public func deliver(_ parcel: Parcel) async -> AttemptReport {
        guard let target = parcel.target ?? (parcel.channel.isEmpty ? standard : nil) else {
            return parcel.channel.isEmpty
                ? AttemptReport(.misconfigured, reply: "no address is set for \(name)")
                : AttemptReport(
                    .permanent, code: "removed",
                    reply: "there is no channel named \(parcel.channel) any more")
        }
        let hash = Self.hash(of: target.url)
        if let closure = parcel.closure, closure.addressHash == hash {
            return AttemptReport(
                .permanent, code: AttemptReport.closedCode,
                reply: "the channel is closed: \(closure.reason)")
        }
        // A receiver may repeat what it was told.
        var report = await exchange(parcel, target)
            .hiding(HiddenWords(service.secrets(of: target)))
        if report.code == HTTPSink.goneCode, report.outcome == .permanent {
            report.closedAddressHash = hash
        }
        return report
    }

    /// The code of a receiver that wants nothing more, ever.
    static let goneCode = "410"

    private func exchange(_ parcel: Parcel, _ target: ChannelTarget) async -> AttemptReport {
        do {
            let request = try service.request(for: parcel, to: target, at: clock.now)
            return service.report(try await client.send(request), of: target)
        } catch let error as TransportError {
            return HTTPVerdict.report(error)
        } catch {
            return AttemptReport(
                .misconfigured, code: "bad-request", reply: SinkFault.words(of: error))
        }
    }

    private static func hash(of url: String) -> String {
        Hexadecimal.text(SHA256.hash(url.utf8))
    }
}

extension AttemptReport {
    /// The same with three stars in the place of what nobody is to read.
    fileprivate func hiding(_ words: HiddenWords) -> AttemptReport {
        AttemptReport(
            outcome, code: code, reply: words.hidden(in: reply),
            retryAfterSeconds: retryAfterSeconds, concernsReceiverOnly: concernsReceiverOnly,
            isAddressBad: isAddressBad)
    }
}
