import Testing
import Timekeeping

@testable import Agenda

@Suite struct AcquaintanceTests {
    @Test(arguments: [
        (true, false, false, true), (true, true, false, true), (true, false, true, true),
        (true, true, true, true), (false, false, false, true), (false, true, false, false),
        (false, false, true, false), (false, true, true, false),
    ])
    func `Other address books decide only for people nobody else knows`(
        isOfOwner: Bool, isInOtherBook: Bool, isInOthersMeeting: Bool, speaks: Bool
    ) {
        let acquaintance = Acquaintance(
            isOfOwner: isOfOwner, isInOtherBook: isInOtherBook,
            isInOthersMeeting: isInOthersMeeting)
        #expect(acquaintance.speaks == speaks)
    }

    @Test func `A firm answer outweighs waiting, maybe and none at any time`() {
        let order: [Answer] = [.invited, .maybe, .waiting, .going]
        for (lighter, heavier) in zip(order, order.dropFirst()) {
            #expect(Self.weight(lighter, at: 9) < Self.weight(heavier, at: 1))
        }
        #expect(Self.weight(.going, at: 1) < Self.weight(.declined, at: 2))
        #expect(Self.weight(.declined, at: 1) < Self.weight(.going, at: 2))
        #expect(Self.weight(.declined, at: 1) == Self.weight(.going, at: 1))
    }

    private static func weight(_ answer: Answer, at seconds: Int64) -> AnswerWeight {
        AnswerWeight(answer, answeredAt: Moment(seconds: seconds))
    }
}
