/// Swift constructs that this project avoids, each for the reason given in its message.
enum Habits {
    /// Finds exclamation marks right after an operand, including `try!`, `as!` and types such as
    /// `Int!`.
    static func forceUnwraps(in source: Source) -> [Finding] {
        let tokens = source.tokens
        return tokens.indices.dropFirst().compactMap { index in
            let before = tokens[index - 1]
            guard tokens[index].text == "!", before.end == tokens[index].start,
                before.isWord || [")", "]", "}", "?", ">", "\""].contains(before.text)
            else { return nil }
            if index + 1 < tokens.count, tokens[index + 1].text == "=",
                tokens[index + 1].start == tokens[index].end
            {
                return nil
            }
            return source.finding(
                line: tokens[index].line, "\(before.text)! may end the process: unwrap with guard")
        }
    }

    /// The files that may end the process in states that no input can cause: a libcurl callback
    /// without its context, and a test file that cannot be created.
    private static let endingFiles = [
        "Sources/Transport/Transfer.swift", "Tests/TestKit/Worlds/StatementLog.swift",
    ]

    static func fatalErrors(in source: Source) -> [Finding] {
        guard !endingFiles.contains(source.path) else { return [] }
        return calls(of: ["fatalError", "preconditionFailure"], in: source).map {
            source.finding(line: $0.line, "\($0.text) may end the process: throw, or precondition")
        }
    }

    /// Finds printing outside the executables, to which standard output belongs.
    static func prints(in source: Source) -> [Finding] {
        guard ModuleTable.row(of: source.module)?.isExecutable != true else { return [] }
        return calls(of: ["print", "debugPrint", "dump"], in: source).map {
            source.finding(line: $0.line, "\($0.text) below the executables: return it, or log it")
        }
    }

    /// Finds real clocks and random sources below the programs, which create them and pass them
    /// down.
    static func realities(in source: Source) -> [Finding] {
        let isProgram = ModuleTable.row(of: source.module)?.isExecutable == true
        guard !isProgram, source.module != "Programs" else { return [] }
        let tokens = source.tokens
        let names: Set<String> = [
            "clock_gettime", "gettimeofday", "ContinuousClock", "SuspendingClock", "DispatchTime",
            "DispatchWallTime", "SystemClock", "SystemRandomNumberGenerator", "usleep",
            "nanosleep", "asyncAfter",
        ]
        let found = tokens.indices.filter { index in
            let rest = tokens[index...].prefix(4).map(\.text)
            let isDate = [
                ["Date", "(", ")"], ["Date", ".", "now"], ["Date", "(", "timeIntervalSinceNow"],
                ["UUID", "(", ")"], ["time", "(", "nil"], ["Thread", ".", "sleep"],
            ].contains { rest.starts(with: $0) }
            let isNow = rest == [".", "now", "(", ")"]
            let isSleep = rest.starts(with: ["Task", ".", "sleep"])
            return names.contains(tokens[index].text) || isDate || isNow || isSleep
                || isChance(tokens[index...])
        }
        return found.map {
            source.finding(
                line: tokens[$0].line, "\(tokens[$0].text): take clock and chance from the caller")
        }
    }

    /// Whether `random`, `shuffled` and the like use the system's random source, because no other
    /// is given.
    private static func isChance(_ tokens: ArraySlice<Token>) -> Bool {
        let texts = tokens.prefix(3).map(\.text)
        let names = ["random", "shuffled", "shuffle", "randomElement"]
        guard texts.count == 3, texts[0] == ".", names.contains(texts[1]), texts[2] == "(" else {
            return false
        }
        var depth = 0
        for token in tokens.dropFirst(2) {
            if token.text == "(" { depth += 1 }
            if token.text == ")" { depth -= 1 }
            if depth == 1, token.text == "using" { return false }
            if depth == 0 { return true }
        }
        return true
    }

    /// Finds sleeping tests. `clock.sleep(until:)` is allowed, because a clock moved by the test
    /// does not wait.
    static func sleeps(in source: Source) -> [Finding] {
        guard source.module != "TestKit" else { return [] }
        let tokens = source.tokens
        let ofTasks = tokens.indices.dropFirst(2).filter { index in
            tokens[index].text == "sleep" && tokens[index - 1].text == "."
                && ["Task", "Thread", ">"].contains(tokens[index - 2].text)
        }
        let bare = calls(of: ["sleep", "usleep", "nanosleep"], in: source)
        return (ofTasks.map { tokens[$0] } + bare).map {
            source.finding(line: $0.line, "a test must wait for a signal, never for time to pass")
        }
    }

    /// Finds `@unchecked Sendable` without a comment directly above it that explains what replaces
    /// the compiler's check.
    static func unexplainedSendables(in source: Source) -> [Finding] {
        let tokens = source.tokens
        return tokens.indices.dropFirst().compactMap { index in
            let line = tokens[index].line
            guard tokens[index].text == "unchecked", tokens[index - 1].text == "@",
                !isExplained(source.lines[..<(line - 1)])
            else { return nil }
            return source.finding(
                line: line, "@unchecked without a comment above that names the lock or the reason")
        }
    }

    private static func isExplained(_ above: ArraySlice<String>) -> Bool {
        let reasons = ["lock", "mutex", "queue", "thread", "sendable", "unchecked"]
        let comment = above.reversed().prefix { $0.drop { $0 == " " }.hasPrefix("//") }
        return comment.contains { line in
            let words = line.lowercased()
            return reasons.contains { words.contains($0) }
        }
    }

    /// Calls of free functions by name, without members and declarations of that name.
    private static func calls(of names: Set<String>, in source: Source) -> [Token] {
        let tokens = source.tokens
        return tokens.indices.dropLast().filter { index in
            names.contains(tokens[index].text) && tokens[index + 1].text == "("
                && (index == 0 || ![".", "func"].contains(tokens[index - 1].text))
        }.map { tokens[$0] }
    }
}
