import TextUI

@testable import letsmeet

/// A questioner that answers from a script and records the questions.
final class ScriptedQuestioner: Questioner {
    /// A scripted answer.
    enum Answer {
        /// Leaves the line as it is.
        case enter
        /// Replaces the line with this text.
        case write(String)
        /// Types this text and takes the first choice that it brings.
        case take(String)
        /// Takes the offer with this number.
        case offer(Int)
        /// Removes the last answer.
        case takeBack
    }

    private var answers: [(label: String, answer: Answer)]
    private(set) var questions: [Question] = []
    private(set) var said: [String] = []
    /// Questions that came when the script expected another one.
    private(set) var surprises: [String] = []

    init(_ answers: [(String, Answer)]) {
        self.answers = answers.map { (label: $0.0, answer: $0.1) }
    }

    /// The labels of the questions that were not asked.
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
