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
}
