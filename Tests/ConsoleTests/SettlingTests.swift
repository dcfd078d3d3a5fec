import Foundation
import Planning
import Testing
import TextUI

@testable import letsmeet

/// Asking again after an answer that was refused.
struct SettlingTests {
    /// Answers line by line, and returns the accepted answer and the prompts.
    private static func settle(
        _ lines: String..., text: String = "", candidates: [Candidate] = []
    ) async throws -> (answer: String, prompts: [String]) {
        var lines = lines
        var shown = ""
        var questioner = PlainQuestioner(
            read: { lines.isEmpty ? nil : lines.removeFirst() }, show: { shown += $0 })
        let answer = try await questioner.settle(Question(label: "Zone", text: text)) { reply in
            guard !reply.words.hasPrefix("bad") else {
                throw Refusal(.invalid, code: "bad", "No.", candidates: candidates)
            }
            return reply.words
        }
        return (answer, shown.components(separatedBy: "Zone").dropFirst().map(\.self))
    }

    @Test func `An empty line does not mean a refused answer`() async throws {
        let asked = try await Self.settle("bad", "", text: "UTC")
        #expect(asked.answer == "UTC")
        #expect(asked.prompts.allSatisfy { $0.hasPrefix(" [UTC]") })
        let fresh = try await Self.settle("bad", "")
        #expect(fresh.answer.isEmpty)
        #expect(fresh.prompts.allSatisfy { $0.hasPrefix(": ") })
    }

    @Test func `A refused default is not offered again`() async throws {
        let asked = try await Self.settle("", "bad one", "good", text: "bad")
        #expect(asked.answer == "good")
        #expect(asked.prompts.map { $0.hasPrefix(" [bad]") } == [true, false, false])
    }

    @Test func `After an ambiguous answer, the default stays unchanged`() async throws {
        let words = ["Europe/Oslo", "Europe/Paris"].map(Candidate.word)
        let asked = try await Self.settle("bad", "", text: "UTC", candidates: words)
        #expect(asked.answer == "UTC")
        #expect(asked.prompts.last?.hasPrefix(" [UTC]") == true)
        #expect(
            try await Self.settle("bad", "2", text: "UTC", candidates: words).answer
                == "Europe/Paris")
    }

    @Test func `An editable line contains the refused answer`() {
        var question = Question(label: "Zone", text: "UTC")
        question.draft = "Marss"
        #expect(Prompt(question).line.text == "Marss")
    }
}
