import Agenda
import Ledger
import Storage
import Timekeeping
import Wording

/// The circumstances that can keep a due delivery from being sent.
struct SendingOutlook {
    let now: Moment
    let isDaemonRunning: Bool
    /// The paused destinations.
    let breakers: [OpenBreaker]

    /// The reason why a due delivery has not been sent, as the end of a sentence; `nil` if it is
    /// not due yet.
    func obstacle(to record: DeliveryRecord, reader: Zone) -> Remark? {
        guard record.row.due <= now else { return nil }
        guard isDaemonRunning else {
            return Remark(
                "but letsmeetd is not running",
                advice: .installation(.startDaemon), .installation(.sendNow))
        }
        let own = record.row.key.address
        let address = own.isEmpty ? record.personAddress : own
        let breaker = breakers.first {
            $0.until > now && $0.holdsUp(channel: record.row.key.channel, address: address)
        }
        guard let breaker else { return "and letsmeetd is about to send it" }
        let until = Timestamp(breaker.until, reader: reader).words
        return "but \(breaker.name) is paused until \(until) (\(breaker.reason))"
    }
}

extension OpenBreaker {
    /// The name of the destination for people.
    package var name: String {
        destination == channel ? channel : "\(destination) (\(channel))"
    }
}

extension Planner {
    /// The circumstances that keep due deliveries from being sent now.
    func outlook() async throws -> SendingOutlook {
        SendingOutlook(
            now: now, isDaemonRunning: isDaemonRunning,
            breakers: try await store.openBreakers(limit: Self.breakersMax))
    }

    private static let breakersMax = 1000
}
