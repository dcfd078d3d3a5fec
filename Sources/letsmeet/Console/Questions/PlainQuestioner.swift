/// Asks line by line, on a terminal that can do no more than that.
struct PlainQuestioner: Questioner {
    /// Reads a line; `nil` when none comes any more.
    let read: () -> String?
    /// Shows a text, and stays in its row.
    let show: (String) -> Void

    /// An empty line means what stands in brackets, `-` means nothing.
    mutating func ask(
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

    func say(_ text: String) {
        show(text.split(separator: "\n").map { RowText.of(String($0)) + "\n" }.joined())
    }

    func wait(for work: String) {
        say(work)
    }
}
