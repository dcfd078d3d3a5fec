public import ArgumentParser
import Foundation
import Planning
public import Wording

/// A program of letsmeet: how it reads its arguments, and how it ends.
public protocol Program: AsyncParsableCommand {
    /// The options that may stand before a command too.
    static var leading: LeadingOptions { get }
    /// Commands as people expect them that are called otherwise here, and what to type: both with
    /// all their words, as in "letsmeet contacts" and "letsmeet people list".
    static var otherWords: [String: String] { get }
}

extension Program {
    /// None.
    public static var otherWords: [String: String] { [:] }

    /// Begins the program: before anything else is opened, and before the runtime opens what it
    /// needs for itself.
    public static func begin() -> Never {
        Output.keepNumbers()
        // libdispatch tells the system's log of each thread that may not have a higher priority,
        // which no ordinary user's may.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        Task {
            await launch()
            Foundation.exit(0)
        }
        dispatchMain()
    }

    /// Runs the command that the arguments name. Every error is said once, in one form, and ends
    /// with the status that its refusal has.
    public static func launch() async {
        let bytes = TypedArguments.ofProcess
        var command = CommandPath(of: Self.self)
        do {
            guard let bytes else { throw TypedArguments.unknown }
            let typed = try TypedArguments.texts(bytes)
            let arguments = leading.movedBehind(TypedArguments.joiningNegativeNumbers(typed))
            try command.follow(arguments, leading: leading)
            try TypedArguments.checkOptions(arguments)
            var called = try parseAsRoot(arguments)
            if var asynchronous = called as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try called.run()
            }
        } catch {
            end(with: error, of: command, asJSON: bytes?.contains(Array("--json".utf8)) ?? false)
        }
    }

    /// Says what went wrong, and ends the program; who called it wrongly reads where help is.
    private static func end(with error: any Error, of command: CommandPath, asJSON: Bool) -> Never {
        if let code = error as? ExitCode { Foundation.exit(code.rawValue) }
        let kind = exitCode(for: error)
        if kind == .success {
            say(fullMessage(for: error), to: .answers)
            Foundation.exit(0)
        }
        let refusal =
            kind == .validationFailure
            ? Refusal(.invalid, code: "usage", UsageText.sentence(message(for: error)))
            : Refusal(error)
        if asJSON, let text = try? JSONText.of(refusal.answer) {
            say(text, to: .answers)
        } else {
            let words = refusal.text(program: configuration.commandName ?? "")
            let isUsage = refusal.code == "usage"
            say(isUsage ? "\(words)\n\(command.advice)" : words, to: .messages)
        }
        Foundation.exit(refusal.category.exitStatus)
    }

    /// Writes a line; an answer that cannot be written ends the program.
    ///
    /// - Parameters:
    ///   - text: the line; what would steer a terminal is written out.
    ///   - stream: where it goes.
    ///   - styles: sequences that may steer the terminal all the same.
    ///   - isSaved: whether it tells of a change that is made already.
    public static func say(
        _ text: String, to stream: Output.Stream, keeping styles: [String] = [],
        afterSaving isSaved: Bool = false
    ) {
        write(
            VisibleText.of(text, keeping: styles) + "\n", to: stream, afterSaving: isSaved)
    }

    /// Writes answers, each as a JSON object in a line of its own: while some are written, the
    /// next are made.
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

    /// Writes a text as it is; an answer that cannot be written ends the program.
    public static func write(
        _ text: String, to stream: Output.Stream, afterSaving isSaved: Bool = false
    ) {
        do {
            try Output.write(text, to: stream, afterSaving: isSaved)
        } catch {
            // Where messages cannot be read either, the status has to do.
            if stream == .answers {
                end(with: error, of: CommandPath(of: Self.self), asJSON: false)
            }
        }
    }
}

/// So many lines are made before they are written.
private let linesAtOnce = 20_000
