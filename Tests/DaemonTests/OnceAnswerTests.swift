import Notifications
import Testing

@testable import Daemon
@testable import Planning

struct OnceAnswerTests {
    @Test(arguments: [
        (DeliveryTally(), "Nothing was due."), (DeliveryTally(accepted: 3), "3 accepted."),
        (
            DeliveryTally(accepted: 1, retry: 2, failed: 1, ambiguous: 1),
            "1 accepted, 2 to retry, 1 failed, 1 possibly delivered."
        ),
        (
            DeliveryTally(misconfigured: 4, held: 2, expired: 1),
            "4 misconfigured, 2 held back, 1 expired."
        ),
    ])
    func `The results are one line`(tally: DeliveryTally, line: String) {
        #expect(OnceAnswer(tally, waiting: WaitingView(count: 0, next: nil)).summary == line)
    }
}
