import Interchange
import Testing

/// Many answers in one calendar object.
@Suite struct CalendarReplyTests {
    private static func answer(
        _ number: Int, stamp: String = "DTSTAMP:20261201T120000Z"
    ) -> String {
        """
        BEGIN:VEVENT
        UID:\(number)@letsmeet
        \(stamp)
        ATTENDEE;PARTSTAT=ACCEPTED:mailto:anna@example.org
        END:VEVENT

        """
    }

    private static func read(_ answers: [String]) -> (replies: [CalendarReply], unreadable: Int) {
        let text = "BEGIN:VCALENDAR\nMETHOD:REPLY\n\(answers.joined())END:VCALENDAR\n"
        return CalendarReply.read(Array(text.utf8))
    }

    @Test(arguments: [(1, 1), (100, 100), (101, 100), (250, 100)])
    func `At most a hundred answers are read, and the others are counted`(
        _ sent: Int, _ read: Int
    ) {
        let found = Self.read((0..<sent).map { Self.answer($0) })
        #expect(found.replies.map(\.uid) == (0..<read).map { "\($0)@letsmeet" })
        #expect(found.unreadable == sent - read)
    }

    @Test func `An answer that cannot be read is counted with those that are not read`() {
        let answers =
            [Self.answer(0, stamp: "RECURRENCE-ID:soon")] + (1..<120).map { Self.answer($0) }
        let found = Self.read(answers)
        #expect(found.replies.count == 99)
        #expect(found.unreadable == 21)
    }
}
