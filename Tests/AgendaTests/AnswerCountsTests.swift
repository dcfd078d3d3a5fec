import Testing

@testable import Agenda

struct AnswerCountsTests {
    @Test func `The counts of the largest meeting fit`() {
        #expect(MeetingRules.participantsMax < 1 << AnswerCounts.bitsEach)
        #expect(AnswerCounts.bitsEach * Answer.allCases.count < Int64.bitWidth)
    }

    @Test(arguments: Answer.allCases)
    func `Equal answers of everybody are counted`(_ answer: Answer) {
        let counts = AnswerCounts(
            of: Array(repeating: answer, count: MeetingRules.participantsMax))
        for other in Answer.allCases {
            #expect(counts[other] == (other == answer ? MeetingRules.participantsMax : 0))
        }
    }

    @Test func `Different answers are counted separately`() {
        let counts = AnswerCounts(of: [.invited, .going, .invited, .waiting])
        #expect(Answer.allCases.map { counts[$0] } == [2, 1, 0, 0, 1])
        #expect(AnswerCounts(packed: counts.packed) == counts)
    }
}
