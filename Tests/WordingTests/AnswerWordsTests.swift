import Agenda
import Testing
import Wording

struct AnswerWordsTests {
    @Test(arguments: Answer.allCases)
    func `Every answer is counted`(_ answer: Answer) {
        let counts = AnswerCounts(of: [answer, answer])
        #expect(AnswerWords.counts(Turnout(answers: counts)) == "2 \(AnswerWords.word(answer))")
    }

    @Test func `Those who come are named first, with the guests they bring`() {
        let answers = AnswerCounts(of: [.declined, .going, .invited, .going, .going, .declined])
        #expect(
            AnswerWords.counts(Turnout(answers: answers, plus: 2))
                == "5 going · 1 silent · 2 declined")
    }
}
