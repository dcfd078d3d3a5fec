import Agenda
import Testing
import Wording

struct AnswerWordsTests {
    @Test(arguments: Answer.allCases)
    func `Every answer is counted`(_ answer: Answer) {
        #expect(AnswerWords.counts([answer: 2], plus: 0) == "2 \(AnswerWords.word(answer))")
    }

    @Test func `Those who come are named first, with the guests they bring`() {
        let answers: [Answer: Int] = [.invited: 1, .going: 3, .declined: 2]
        #expect(AnswerWords.counts(answers, plus: 2) == "5 going · 1 silent · 2 declined")
    }
}
