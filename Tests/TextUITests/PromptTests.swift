import Testing

@testable import TextUI

struct PromptTests {
    private static let offers = [
        Choice(value: "a", label: "Anna"), Choice(value: "b", label: "Ben"),
        Choice(value: "c", label: "Carla"),
    ]

    /// The effect of the last key, with hints for the typed text.
    private static func step(_ question: Question, _ keys: [Key]) -> Prompt.Step? {
        var prompt = Prompt(question)
        var last: Prompt.Step?
        for key in keys {
            last = prompt.take(key)
            if last == .typed {
                prompt.hints = Hints(
                    choices: offers.filter {
                        $0.label.lowercased().hasPrefix(prompt.line.text) && !prompt.line.isEmpty
                    })
            }
        }
        return last
    }

    @Test(
        arguments: [
            ([.text("be"), .tab], .replied(.choice(offers[1]))),
            ([.text("be"), .down, .enter], .replied(.choice(offers[1]))),
            ([.text("be"), .enter], .replied(.text("be"))), ([.tab], .moved),
            ([.text("zz"), .tab], .moved),
            ([.text("be"), .down, .text("n"), .enter], .replied(.text("ben"))),
            ([.text("b"), .down, .escape, .enter], .replied(.text("b"))),
            ([.enter], .replied(.text(""))), ([.backspace], .moved), ([.up], .moved),
            ([.interrupt], .left(.interrupted)), ([.text("x"), .interrupt], .left(.interrupted)),
            ([.endOfInput], .left(.ended)), ([.text("x"), .home, .endOfInput], .typed),
        ] as [([Key], Prompt.Step)])
    func `A key takes a hint or the line, or leaves`(keys: [Key], expected: Prompt.Step) {
        #expect(Self.step(Question(label: "Who"), keys) == expected)
    }

    @Test(
        arguments: [
            ([.text("2"), .enter], .replied(.choice(offers[1]))),
            ([.text("4"), .enter], .replied(.text("4"))),
            ([.text("0"), .enter], .replied(.text("0"))),
            ([.down, .down, .enter], .replied(.choice(offers[1]))),
            ([.up, .enter], .replied(.choice(offers[2]))),
            ([.down, .up, .enter], .replied(.text(""))),
            ([.tab], .replied(.choice(offers[0]))),
            ([.text("c"), .tab], .replied(.choice(offers[2]))),
            ([.text("99999999999999999999"), .enter], .replied(.text("99999999999999999999"))),
        ] as [([Key], Prompt.Step)])
    func `A number or an arrow key takes an offer`(keys: [Key], expected: Prompt.Step) {
        #expect(Self.step(Question(label: "Who", offers: Self.offers), keys) == expected)
    }

    @Test func `Backspace on an empty line removes the last answer when answers are collected`() {
        let question = Question(label: "Who", isCollecting: true)
        #expect(Self.step(question, [.backspace]) == .replied(.takeBack))
        #expect(Self.step(question, [.text("a"), .backspace]) == .typed)
    }

    @Test(
        arguments: [
            ([.enter], "root"), ([.text("Olli"), .enter], "Olli"), ([.text("-"), .enter], ""),
            ([.text("O"), .backspace, .enter], "root"), ([.text(" "), .enter], "root"),
        ] as [([Key], String)])
    func `Typed text replaces a suggestion, and Enter alone accepts it`(
        keys: [Key], answer: String
    ) {
        let question = Question(label: "Name", text: "root")
        #expect(Self.step(question, keys) == .replied(.text(answer)))
    }

    @Test(
        arguments: [
            ([.enter], "Café"), ([.text("!"), .enter], "Café!"), ([.killToStart, .enter], ""),
        ] as [([Key], String)])
    func `The answer of an editable line is its content`(keys: [Key], answer: String) {
        let question = Question(label: "Place", text: "Café", isEdited: true)
        #expect(Self.step(question, keys) == .replied(.text(answer)))
    }
}
