import Secrets
import Synchronization
import Timekeeping

/// The challenges that browsers were given to make or use a passkey. Each can be used once, for
/// five minutes.
final class PasskeyChallenges: Sendable {
    /// The time for which a challenge is valid, in seconds.
    static let seconds: Int64 = 5 * 60
    /// The most challenges to keep. When it is reached, all are forgotten.
    static let countMax = 10_000

    private let ends = Mutex<[String: Moment]>([:])

    /// A challenge in base64 for web addresses.
    ///
    /// - Parameters:
    ///   - token: a random token.
    ///   - now: the current time.
    /// - Returns: the challenge.
    func issue(_ token: AccessToken, now: Moment) -> String {
        let challenge = Base64URL.text(Array(token.text.utf8))
        ends.withLock { ends in
            if ends.count >= Self.countMax { ends = ends.filter { $0.value > now } }
            if ends.count >= Self.countMax { ends = [:] }
            ends[challenge] = now.advanced(bySeconds: Self.seconds)
        }
        return challenge
    }

    /// Uses a challenge up. Returns false if it was never issued, was used, or is too old.
    func take(_ challenge: String, now: Moment) -> Bool {
        ends.withLock { $0.removeValue(forKey: challenge).map { $0 > now } ?? false }
    }
}
