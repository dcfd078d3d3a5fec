/// A question that is being answered, with the line, the choices and the marked choice.
package struct Prompt {
    /// The effect of a key.
    package enum Step: Equatable {
        /// The text in the line changed, so new hints are needed.
        case typed
        /// Something else that is shown may have changed.
        case moved
        case replied(Reply)
        case left(Leaving)
    }

    package let question: Question
    package private(set) var line: LineEditor
    /// The index of the marked choice.
    private(set) var marked: Int?
    /// The hints for the text in the line.
    package var hints = Hints() {
        didSet { if hints.choices != oldValue.choices { marked = nil } }
    }

    package init(_ question: Question) {
        self.question = question
        line = LineEditor(question.line)
    }

    /// The current choices: the offers, or the hints once something other than a number is typed.
    package var choices: [Choice] { isOffering ? question.offers : hints.choices }

    /// The answer that the current line means.
    package var meant: String {
        guard !question.isEdited else { return line.text }
        switch line.text.split(whereSeparator: \.isWhitespace).joined(separator: " ") {
        case "": return question.text
        case Question.nothing: return ""
        default: return line.text
        }
    }

    /// Whether the numbered offers are shown.
    package var isOffering: Bool {
        !question.offers.isEmpty
            && (line.text == question.line || line.text.allSatisfy(\.isASCIIDigit))
    }

    package mutating func take(_ key: Key) -> Step {
        switch key {
        case .interrupt: return .left(.interrupted)
        case .endOfInput where line.isEmpty: return .left(.ended)
        case .endOfInput: return edit(.delete)
        case .enter: return .replied(reply)
        case .tab:
            let place = marked ?? 0
            return choices.indices.contains(place) ? .replied(.choice(choices[place])) : .moved
        case .up: return mark(by: -1)
        case .down: return mark(by: 1)
        case .escape:
            marked = nil
            return .moved
        case .backspace where line.isEmpty && question.isCollecting: return .replied(.takeBack)
        case .text, .paste, .backspace, .delete, .left, .right, .home, .end, .wordLeft,
            .wordRight, .killToEnd, .killToStart, .killWord:
            return edit(key)
        }
    }

    private var reply: Reply {
        if let marked, choices.indices.contains(marked) { return .choice(choices[marked]) }
        if isOffering, let number = Int(line.text), choices.indices.contains(number - 1) {
            return .choice(choices[number - 1])
        }
        return .text(meant)
    }

    private mutating func edit(_ key: Key) -> Step {
        let before = line.text
        line.take(key)
        guard line.text != before else { return .moved }
        marked = nil
        return .typed
    }

    /// Moves the mark. After the last choice nothing is marked, then the first choice again.
    private mutating func mark(by step: Int) -> Step {
        let count = choices.count
        guard count > 0 else { return .moved }
        let place = ((marked ?? (step > 0 ? -1 : count)) + step)
        marked = choices.indices.contains(place) ? place : nil
        return .moved
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
