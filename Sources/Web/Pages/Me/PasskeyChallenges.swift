import Secrets
import Synchronization
import Timekeeping

/// The challenges that browsers were given to make or use a passkey. Each can be used once, for
/// five minutes.
final class PasskeyChallenges: Sendable {
    /// The time for which a challenge is valid, in seconds.
    static let seconds: Int64 = 5 * 60
    /// The most challenges to keep. When it is reached, the oldest is forgotten.
    static let countMax = 10_000
    /// The most challenges of one client. When it is reached, the oldest of them is forgotten, so
    /// that no client makes the server forget those of others.
    static let clientMax = 50

    private struct Issued {
        let end: Moment
        let client: String
    }

    private let issued = Mutex<[String: Issued]>([:])

    /// A challenge in base64 for web addresses.
    ///
    /// - Parameters:
    ///   - token: a random token.
    ///   - client: the address of the client.
    ///   - now: the current time.
    /// - Returns: the challenge.
    func issue(_ token: AccessToken, for client: String, now: Moment) -> String {
        let challenge = Base64URL.text(Array(token.text.utf8))
        let name = ClientNetwork.name(of: client)
        issued.withLock { issued in
            issued = issued.filter { $0.value.end > now }
            let own = issued.filter { $0.value.client == name }
            if own.count >= Self.clientMax { Self.forgetOldest(of: own, in: &issued) }
            if issued.count >= Self.countMax { Self.forgetOldest(of: issued, in: &issued) }
            issued[challenge] = Issued(end: now.advanced(bySeconds: Self.seconds), client: name)
        }
        return challenge
    }

    private static func forgetOldest(
        of some: [String: Issued], in issued: inout [String: Issued]
    ) {
        let oldest = some.min { $0.value.end < $1.value.end }
        if let oldest { issued[oldest.key] = nil }
    }

    /// Uses a challenge up. Returns false if it was never issued, was used, or is too old.
    func take(_ challenge: String, now: Moment) -> Bool {
        issued.withLock { $0.removeValue(forKey: challenge).map { $0.end > now } ?? false }
    }
}
