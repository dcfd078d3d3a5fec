/// A questioner for terminals that send each key as it is pressed. It shows matching choices while
/// a person types.
package struct KeyQuestioner: Questioner {
    private let terminal: RawTerminal
    private let show: (String) -> Void
    private let sayText: (String) -> Void
    private let showProgress: (String) -> Void
    private var reader = KeyReader()
    /// Keys that were pressed after the last question was answered.
    private var waiting: [Key] = []

    /// - Parameters:
    ///   - terminal: the terminal that sends the keys.
    ///   - show: writes text to the screen unchanged, with control sequences.
    ///   - say: writes a message that stays on the screen.
    ///   - showProgress: shows the name of a piece of work until the next output.
    package init(
        _ terminal: RawTerminal, show: @escaping (String) -> Void,
        say: @escaping (String) -> Void, showProgress: @escaping (String) -> Void
    ) {
        self.terminal = terminal
        self.show = show
        sayText = say
        self.showProgress = showProgress
        show(RawTerminal.pasteOn)
    }

    package mutating func ask(
        _ question: Question, hints: (_ text: String) async throws -> Hints
    ) async throws -> Reply {
        var prompt = Prompt(question)
        var painter = Painter()
        terminal.listen()
        defer {
            show(painter.erase())
            terminal.pause()
        }
        prompt.hints = try await hints(prompt.meant)
        while true {
            if waiting.isEmpty {
                let view = PromptView(size: Screen.size, paint: Paint.messages)
                show(painter.draw(view.frame(of: prompt)))
                waiting = nextKeys()
            }
            switch prompt.take(waiting.removeFirst()) {
            case .typed: prompt.hints = try await hints(prompt.meant)
            case .moved: break
            case .replied(let reply): return reply
            case .left(let leaving): throw leaving
            }
        }
    }

    package func say(_ text: String) {
        sayText(
            text.split(separator: "\n").map { RowText.of(String($0)) }.joined(separator: "\n"))
    }

    package func wait(for work: String) {
        let columns = max(1, Screen.size.columns - 1)
        showProgress(TextColumns.fit(RowText.of(work), in: columns))
    }

    /// Waits for keys. An escape byte without following bytes is the Escape key.
    private mutating func nextKeys() -> [Key] {
        while true {
            switch terminal.read(isBrief: reader.isAmidEscape) {
            case .bytes(let bytes):
                let keys = reader.read(bytes)
                guard keys.isEmpty else { return keys }
            case .silence: return reader.settle()
            case .end: return [.killToStart, .killToEnd, .endOfInput]
            }
        }
    }
}
