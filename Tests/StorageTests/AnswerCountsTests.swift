import Agenda
import Testing

@testable import Storage

struct AnswerCountsTests {
    @Test func `Every answer of the largest meeting has room`() {
        #expect(MeetingRules.participantsMax < 1 << AnswerCounts.bitsEach)
        #expect(AnswerCounts.bitsEach * Answer.allCases.count < Int64.bitWidth)
    }

    @Test func `What was summed is counted`() throws {
        let counts: [Answer: Int] = [.invited: 3, .going: 4000, .waiting: 1]
        let packed = Answer.allCases.enumerated().reduce(Int64(0)) { sum, kind in
            sum + Int64(counts[kind.element] ?? 0) << (AnswerCounts.bitsEach * kind.offset)
        }
        #expect(AnswerCounts.unpacked(packed) == counts)
        #expect(AnswerCounts.unpacked(0).isEmpty)
    }
}
