@testable import letsmeet

/// Somebody who answers by a script, and notes what they saw.
final class ScriptedQuestioner: Questioner {
    /// What they do when asked.
    enum Answer {
        /// They leave what stands in the line.
        case enter
        /// They write this in place of it.
        case write(String)
        /// They write this, and take what is shown first then.
        case take(String)
        /// They take the offer of this number.
        case offer(Int)
        /// They take the last answer back.
        case takeBack
    }

    private var answers: [(label: String, answer: Answer)]
    private(set) var questions: [Question] = []
    private(set) var said: [String] = []
    /// Questions that came where the script expected another one.
    private(set) var surprises: [String] = []

    init(_ answers: [(String, Answer)]) {
        self.answers = answers.map { (label: $0.0, answer: $0.1) }
    }

    /// What was not asked.
    var rest: [String] { answers.map(\.label) }

    func ask(
        _ question: Question, hints: (_ text: String) async throws -> Hints
    ) async throws -> Reply {
        questions.append(question)
        guard !answers.isEmpty else { throw Leaving.ended }
        let (label, answer) = answers.removeFirst()
        if label != question.label { surprises.append("\(question.label), not \(label)") }
        switch answer {
        case .enter: return .text(question.text)
        case .write(let text): return .text(text)
        case .take(let text):
            guard let choice = try await hints(text).choices.first else { throw Leaving.ended }
            return .choice(choice)
        case .offer(let number):
            guard question.offers.indices.contains(number - 1) else { throw Leaving.ended }
            return .choice(question.offers[number - 1])
        case .takeBack: return .takeBack
        }
    }

    func say(_ text: String) { said.append(text) }

    func wait(for work: String) {}
}
