import Testing

@testable import TextUI

struct PlainQuestionerTests {
    private static let offers = [
        Choice(value: "a", label: "Anna"), Choice(value: "b", label: "Ben"),
    ]

    private static func reply(
        to line: String?, _ question: Question
    ) async throws -> (reply: Reply, shown: String) {
        var shown = ""
        var questioner = PlainQuestioner(read: { line }, show: { shown += $0 })
        let reply = try await questioner.ask(question)
        return (reply, shown)
    }

    @Test(
        arguments: [
            ("Oslo", .text("Oslo")), ("", .text("Helsinki")), ("  ", .text("Helsinki")),
            ("-", .text("")), ("2", .choice(offers[1])), ("3", .text("3")),
            (" a\u{1B}[31m \t b ", .text("a[31m b")),
        ] as [(String, Reply)])
    func `A line is an answer`(line: String, expected: Reply) async throws {
        let question = Question(
            label: "City", text: "Helsinki", offers: Self.offers, notes: ["Say\u{7}"], help: "Any",
            skipped: "no city")
        let (reply, shown) = try await Self.reply(to: line, question)
        #expect(reply == expected)
        #expect(
            shown == """
                Say
                  1  Anna
                  2  Ben
                (- means no city. Any)
                City [Helsinki]:\u{20}
                """)
    }

    @Test func `A dash removes the last answer when answers are collected`() async throws {
        let (reply, _) = try await Self.reply(
            to: "-", Question(label: "Who", isCollecting: true))
        #expect(reply == .takeBack)
    }

    @Test func `The end of input leaves`() async {
        await #expect(throws: Leaving.ended) {
            _ = try await Self.reply(to: nil, Question(label: "City", text: "Helsinki"))
        }
    }
}
