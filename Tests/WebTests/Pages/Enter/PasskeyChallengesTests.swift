import Secrets
import TestKit
import Testing
import Timekeeping

@testable import Web

/// Clients that ask for more challenges than anybody needs.
struct PasskeyChallengesTests {
    private let start = Moment(seconds: 1_800_000_000)

    /// Issues challenges to a client, one each second.
    private func issue(
        _ count: Int, by challenges: PasskeyChallenges, for client: String,
        using random: inout SeededRandom
    ) -> [String] {
        (0..<count).map { number in
            challenges.issue(
                AccessToken(using: &random), for: client,
                now: start.advanced(bySeconds: Int64(number)))
        }
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.2", false), ("2001:db8::1", "2001:db8:0:1::1", false),
        ("2001:db8::1", "2001:db8::2", true), ("192.0.2.1", "::ffff:192.0.2.1", true),
    ])
    func `A client keeps its newest challenges and costs others none`(
        _ client: String, _ other: String, _ isSame: Bool
    ) {
        var random = SeededRandom(seed: 7)
        let challenges = PasskeyChallenges()
        let first = issue(1, by: challenges, for: other, using: &random)
        let many = issue(60, by: challenges, for: client, using: &random)
        let now = start.advanced(bySeconds: 60)
        #expect(first.map { challenges.take($0, now: now) } == [!isSame])
        #expect(!many.prefix(10).contains { challenges.take($0, now: now) })
        #expect(many.suffix(50).allSatisfy { challenges.take($0, now: now) })
        #expect(!many.contains { challenges.take($0, now: now) })
    }
}
