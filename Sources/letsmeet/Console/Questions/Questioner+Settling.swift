import ArgumentParser
import Planning
import TextUI

extension Questioner {
    /// Asks until an answer is valid. After an invalid answer, shows the reason and what may have
    /// been meant. A refused answer is never offered as the default of an empty line.
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
    /// An error as a message to the person who answers.
    ///
    /// - Throws: the error, if it is a bug, or if the person left.
    init(answering error: any Error) throws {
        self.init(error)
        guard !(error is Leaving), category != .bug else { throw error }
    }
}

extension Reply {
    /// The typed words, with single spaces between them; for a choice, its value.
    var words: String {
        switch self {
        case .text(let text): text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        case .choice(let choice): choice.value
        case .takeBack: ""
        }
    }
}

extension Choice {
    /// A choice for something that a refused request may have meant.
    init(_ candidate: Candidate) {
        self.init(value: candidate.typed, label: candidate.label)
    }
}

extension Leaving {
    /// Runs `body`, which asks questions. If the person leaves, says that nothing was saved.
    ///
    /// - Throws: `ExitCode` if the person leaves, or the error of `body`.
    static func caught<Value>(in body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let leaving as Leaving {
            Terminal.say("Nothing was saved.")
            throw ExitCode(leaving.exitStatus)
        }
    }
}
