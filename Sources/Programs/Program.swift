public import ArgumentParser
import Foundation
public import Planning
public import Wording

/// A program of letsmeet: reads its arguments, runs a command and exits with a status.
public protocol Program: AsyncParsableCommand {
    /// The options that may also stand before the command.
    static var leading: LeadingOptions { get }
    /// Commands that people may expect under another name, each with the command to type instead.
    /// Both are complete, as in "letsmeet contacts" and "letsmeet people list".
    static var otherWords: [String: String] { get }
    /// Asks the person at the terminal which of several candidates they meant.
    ///
    /// - Parameter refusal: the refusal of a text that means several things.
    /// - Returns: the candidate; `nil` if nobody can be asked.
    /// - Throws: `ExitCode` if none was chosen.
    static func choose(for refusal: Refusal) throws -> Candidate?
    /// A line for the person at the terminal after a refusal that is not about the usage; `nil` for
    /// none.
    static func hint(after refusal: Refusal) -> String?
}

extension Program {
    /// No other names.
    public static var otherWords: [String: String] { [:] }

    /// No hint.
    public static func hint(after refusal: Refusal) -> String? { nil }

    /// Nobody is asked.
    public static func choose(for refusal: Refusal) throws -> Candidate? { nil }

    /// Starts the program, before any other file is opened and before the runtime opens its own.
    public static func begin() -> Never {
        Output.keepNumbers()
        // libdispatch writes to the system log for each thread that cannot raise its priority,
        // which no ordinary user may do.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        Task {
            await launch()
            Foundation.exit(0)
        }
        // Dispatch's own way to end the main thread does the same, but Valgrind cannot follow it.
        var mask = sigset_t()
        sigemptyset(&mask)
        while true { sigsuspend(&mask) }
    }

    /// The first argument by which a completion script asks for words.
    private static var completion: String { "---completion" }

    /// Runs the command named by the arguments. Every error is printed once, in the same form, and
    /// the program exits with the status of its refusal.
    public static func launch() async {
        let bytes = TypedArguments.ofProcess
        var command = CommandPath(of: Self.self)
        do {
            guard let bytes else { throw TypedArguments.unknown }
            let typed = try TypedArguments.texts(bytes)
            // A shell asks for words to offer, which are printed instead of running the command.
            if typed.first == Self.completion { _ = try await asyncParseAsRoot(typed) }
            if let script = CompletionScript.asked(typed, of: Self.self) {
                return write(script + "\n", to: .answers)
            }
            let arguments = leading.movedBehind(TypedArguments.joiningNegativeNumbers(typed))
            try command.follow(arguments, leading: leading)
            try TypedArguments.checkOptions(arguments)
            try RepeatedOptions.check(arguments, of: command.last)
            try await call(arguments, isAsked: !arguments.contains("--json"))
        } catch {
            end(with: error, of: command, asJSON: bytes?.contains(Array("--json".utf8)) ?? false)
        }
    }

    /// Runs the command. If a text in it means several things, asks which one is meant, and runs it
    /// again with that one: nothing was changed before.
    private static func call(_ arguments: [String], isAsked: Bool) async throws {
        do {
            var called = try await asyncParseAsRoot(arguments)
            if var asynchronous = called as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try called.run()
            }
        } catch let refusal as Refusal {
            guard isAsked, let text = refusal.ambiguousText,
                TypedArguments.replacing(text, by: "", in: arguments) != nil,
                let meant = try choose(for: refusal),
                let next = TypedArguments.replacing(text, by: meant.typed, in: arguments)
            else { throw refusal }
            try await call(next, isAsked: true)
        }
    }

    /// Prints the error and exits. After a usage error, the advice names the command's help.
    private static func end(with error: any Error, of command: CommandPath, asJSON: Bool) -> Never {
        if let code = error as? ExitCode { Foundation.exit(code.rawValue) }
        let kind = exitCode(for: error)
        if kind == .success {
            say(UsageText.breakingUsage(in: fullMessage(for: error)), to: .answers)
            Foundation.exit(0)
        }
        let refusal =
            kind == .validationFailure
            ? Refusal(.invalid, code: "usage", UsageText.sentence(message(for: error)))
            : Refusal(error)
        if asJSON, let text = try? JSONText.of(refusal.answer, advice: AdviceText.renderer) {
            say(text, to: .answers)
        } else {
            let words = refusal.text(
                program: configuration.commandName ?? "", advice: AdviceText.renderer)
            let isMissing = refusal.message.hasPrefix("Missing expected argument")
            let usage = [isMissing ? command.example : nil, command.advice].compactMap(\.self)
            let hints = [hint(after: refusal)].compactMap(\.self)
            let more = refusal.code == "usage" ? usage : hints
            say(([words] + more).joined(separator: "\n"), to: .messages)
        }
        Foundation.exit(refusal.category.exitStatus)
    }

    /// Prints a line. If an answer cannot be written, the program exits.
    ///
    /// - Parameters:
    ///   - text: the line; control sequences are escaped.
    ///   - stream: the stream to write to.
    ///   - styles: control sequences that are kept.
    ///   - isSaved: whether the text reports a change that has already been saved.
    public static func say(
        _ text: String, to stream: Output.Stream, keeping styles: [String] = [],
        afterSaving isSaved: Bool = false
    ) {
        write(
            VisibleText.of(text, keeping: styles) + "\n", to: stream, afterSaving: isSaved)
    }

    /// Prints answers as JSON objects, one per line. While some lines are written, the next are
    /// generated.
    public static func say(lines: some Collection<some JSONLine>) async {
        var rest = lines[...]
        var made: [String] = []
        repeat {
            let next = Array(rest.prefix(linesAtOnce))
            rest = rest.dropFirst(linesAtOnce)
            async let making = JSONText.lines(next)
            for part in made { write(part, to: .answers) }
            made = await making
        } while !made.isEmpty
    }

    /// Writes a text unchanged. If an answer cannot be written, the program exits.
    public static func write(
        _ text: String, to stream: Output.Stream, afterSaving isSaved: Bool = false
    ) {
        do {
            try Output.write(text, to: stream, afterSaving: isSaved)
        } catch {
            // If messages cannot be written, the exit status has to suffice.
            if stream == .answers {
                end(with: error, of: CommandPath(of: Self.self), asJSON: false)
            }
        }
    }
}

/// The number of lines that are generated before they are written.
private let linesAtOnce = 20_000
