import Agenda
import Testing
import Wording

struct AnswerWordsTests {
    @Test(arguments: Answer.allCases)
    func `Each answer is counted with its word`(_ answer: Answer) {
        let counts = AnswerCounts(of: [answer, answer])
        #expect(AnswerWords.counts(Turnout(answers: counts)) == "2 \(AnswerWords.word(answer))")
    }

    @Test func `People who are going come first and include the people they bring along`() {
        let answers = AnswerCounts(of: [.declined, .going, .invited, .going, .going, .declined])
        #expect(
            AnswerWords.counts(Turnout(answers: answers, plus: 2))
                == "5 going · 1 hasn't answered · 2 declined")
    }
}
