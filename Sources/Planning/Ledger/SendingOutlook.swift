import Agenda
import Ledger
import Storage
import Timekeeping
import Wording

/// What may keep a delivery that is due from being sent.
struct SendingOutlook {
    let now: Moment
    let isDaemonRunning: Bool
    /// The destinations that are left alone.
    let breakers: [OpenBreaker]

    /// Why a delivery that is due has not been sent, in words; `nil` when it is not due yet.
    func obstacle(to record: DeliveryRecord, reader: Zone) -> String? {
        guard record.row.due <= now else { return nil }
        guard isDaemonRunning else {
            return "no daemon is running here. Start letsmeetd, or send now with: letsmeetd once"
        }
        let own = record.row.key.address
        let address = own.isEmpty ? record.personAddress : own
        let breaker = breakers.first {
            $0.until > now && $0.holdsUp(channel: record.row.key.channel, address: address)
        }
        guard let breaker else { return "letsmeetd is about to send it" }
        let until = Timestamp(breaker.until, reader: reader).words
        return "\(breaker.name) is left alone until \(until): \(breaker.reason)"
    }
}

extension OpenBreaker {
    /// What a person knows it by.
    var name: String {
        destination == channel ? channel : "\(destination) (\(channel))"
    }
}

extension Planner {
    /// What may keep from being sent what is due now.
    func outlook() async throws -> SendingOutlook {
        SendingOutlook(
            now: now, isDaemonRunning: isDaemonRunning,
            breakers: try await store.openBreakers(limit: Self.breakersMax))
    }

    private static let breakersMax = 1000
}
