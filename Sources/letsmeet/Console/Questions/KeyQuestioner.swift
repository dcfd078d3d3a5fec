/// Asks on a terminal that sends each key as it is pressed, and shows what fits while somebody
/// types.
struct KeyQuestioner: Questioner {
    private let terminal: RawTerminal
    private var reader = KeyReader()
    /// Keys that came after the one that answered the last question.
    private var waiting: [Key] = []

    init(_ terminal: RawTerminal) {
        self.terminal = terminal
    }

    mutating func ask(
        _ question: Question, hints: (_ text: String) async throws -> Hints
    ) async throws -> Reply {
        var prompt = Prompt(question)
        var painter = Painter()
        terminal.listen()
        defer {
            Terminal.send(painter.erase())
            terminal.pause()
        }
        prompt.hints = try await hints(prompt.meant)
        while true {
            if waiting.isEmpty {
                let view = PromptView(size: Terminal.size, paint: Paint.messages)
                Terminal.send(painter.draw(view.frame(of: prompt)))
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

    func say(_ text: String) {
        Terminal.say(
            text.split(separator: "\n").map { RowText.of(String($0)) }.joined(separator: "\n"))
    }

    func wait(for work: String) {
        let columns = max(1, Terminal.size.columns - 1)
        Terminal.progress(TextColumns.fit(RowText.of(work), in: columns))
    }

    /// Waits for a key. An escape byte behind which nothing comes is a key too.
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
