import Testing

@testable import Planning

struct OthersReasonTests {
    @Test(arguments: [
        ("nothing is sent to this address: she owes me money", "nothing is sent to this address"),
        (
            "nothing is sent to this address: bounced: 5.1.1",
            "nothing is sent to this address: bounced: 5.1.1"
        ),
        (
            "held back until 23:30: quiet hours 20:00-23:30 (Asia/Tokyo)",
            "held back by the receiver's sending hours"
        ),
        (
            "not held back by quiet hours 20:00-23:30: the meeting is near",
            "not held back by the receiver's sending hours"
        ),
        (
            "it would come too late: held back until 23:30: send window mon (Asia/Tokyo)",
            "it would come too late: held back by the receiver's sending hours"
        ),
        (
            "held back until 15:00 (Asia/Tokyo): 20 messages about this meeting in an hour",
            "held back until 15:00 (Asia/Tokyo): 20 messages about this meeting in an hour"
        ),
        ("550 no such user", "550 no such user"),
    ])
    func `Organizers read no private reasons`(_ reason: String, _ shown: String) {
        #expect(OthersReason.shown(reason) == shown)
    }

    private static let quotes: [(String, String?)] = [
        ("bounced: 5.1.2 no MX for hidden.example.org", "bounced: 5.1.2"),
        ("bounced: no MX for hidden.example.org", "bounced: …"),
        ("delayed: 4.4.1 hidden.example.org (forwarded to b@other.org)", "delayed: 4.4.1"),
        ("not delivered: gave up after 5 attempts: mx.hidden.example.org", nil),
        ("nothing is sent to this address: bounced: 5.1.1 mx.hidden.example.org", nil),
        ("nothing is sent to this address: hidden.example.org", "nothing is sent to this address"),
        ("there is no time for another attempt: 4.2.1 mx.hidden.example.org", nil),
        ("the sink is not set up: hidden.example.org", "the sink is not set up: …"),
        (
            "the other system refuses letsmeet: 5.1.8 hidden.example.org",
            "the other system refuses letsmeet: 5.1.8"
        ),
        ("taken up again by a@hidden.example.org", "taken up again by …"),
        ("the meeting was moved", "the meeting was moved"),
    ]

    @Test(arguments: quotes)
    func `Organizers who do not know an address read none of the words about it`(
        _ reason: String, _ shown: String?
    ) {
        let words = OthersReason.disguised(reason)
        #expect(words == shown ?? words)
        #expect(!words.contains("hidden"))
        // The words may be shortened several times.
        #expect(OthersReason.disguised(words) == words)
    }

    @Test(arguments: [
        ("5.1.1 <a@hidden.example.org>: unknown", "5.1.1"), ("hidden.example.org", "…"), ("", ""),
    ])
    func `Of a reply about an unknown address, only the code is left`(
        _ reply: String, _ shown: String
    ) {
        #expect(OthersReason.disguised(reply, isQuote: true) == shown)
        #expect(DeliverySight.disguised.reply(reply) == shown)
        #expect(DeliverySight.address.reply(reply) == reply)
    }
}
