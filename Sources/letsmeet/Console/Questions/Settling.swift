import Planning

extension Questioner {
    /// Asks until an answer can be read; why one cannot is said, with what may have been meant. An
    /// answer that was refused is never what an empty line means.
    mutating func settle<Value>(
        _ question: Question, hints: (_ text: String) async throws -> Hints = { _ in Hints() },
        reading: (Reply) async throws -> Value
    ) async throws -> Value {
        var first = question
        var next = question
        while true {
            let reply = try await ask(next, hints: hints)
            do {
                return try await reading(reply)
            } catch {
                let refusal = try Refusal(answering: error)
                if reply == .text(first.text) { first.text = "" }
                next = first
                next.notes.append(refusal.message)
                if !refusal.candidates.isEmpty {
                    next.draft = ""
                    next.offers = refusal.candidates.map(Choice.init)
                } else if case .text(let text) = reply {
                    next.draft = text
                }
            }
        }
    }
}

extension Refusal {
    /// An error as something to say to whoever answers; what a person can do nothing about, and
    /// their leaving, is thrown on.
    init(answering error: any Error) throws {
        self.init(error)
        guard !(error is Leaving), category != .bug else { throw error }
    }
}

extension Reply {
    /// The words, without spaces around them; a choice means its value.
    var words: String {
        switch self {
        case .text(let text): text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        case .choice(let choice): choice.value
        case .takeBack: ""
        }
    }
}

extension Choice {
    /// Something that a refused request may have meant.
    init(_ candidate: Candidate) {
        label = candidate.label
        value = candidate.typed
    }
}
