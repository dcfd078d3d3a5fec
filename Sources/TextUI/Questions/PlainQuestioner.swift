/// A questioner for simple terminals that reads whole lines.
package struct PlainQuestioner: Questioner {
    /// Reads a line; `nil` at the end of the input.
    package let read: () -> String?
    /// Writes a text without a line break after it.
    package let show: (String) -> Void

    package init(read: @escaping () -> String?, show: @escaping (String) -> Void) {
        self.read = read
        self.show = show
    }

    /// Asks once. An empty line means the suggestion in brackets, and `-` means no answer.
    package mutating func ask(
        _ question: Question, hints: (_ text: String) async throws -> Hints
    ) async throws -> Reply {
        question.notes.forEach(say)
        for (place, offer) in question.offers.enumerated() { say("  \(place + 1)  \(offer.label)") }
        let advice = question.advice(hasBrackets: true)
        if !advice.isEmpty { say("(\(advice))") }
        let text = RowText.of(question.text)
        show(RowText.of(question.label) + (text.isEmpty ? ": " : " [\(text)]: "))
        guard let line = read().map({ LineEditor($0).text }) else { throw Leaving.ended }
        let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if words == Question.nothing { return question.isCollecting ? .takeBack : .text("") }
        if let number = Int(words), question.offers.indices.contains(number - 1) {
            return .choice(question.offers[number - 1])
        }
        return .text(words.isEmpty ? question.text : words)
    }

    package func say(_ text: String) {
        show(text.split(separator: "\n").map { RowText.of(String($0)) + "\n" }.joined())
    }

    package func wait(for work: String) {
        say(work)
    }
}
