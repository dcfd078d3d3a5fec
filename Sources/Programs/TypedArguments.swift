import Foundation
import Glibc
import Planning
import StreamSafe

/// The arguments of a call, as typed.
enum TypedArguments {
    /// The arguments of this process, byte for byte; `CommandLine.arguments` has already replaced
    /// invalid bytes by U+FFFD. `nil` if the system does not provide them.
    ///
    /// Swift's runtime looks for them next to the environment. That fails if a library loaded
    /// before the program has set a variable, as libfaketime does. Then they are read from /proc.
    static var ofProcess: [[UInt8]]? {
        guard CommandLine.argc > 0 else {
            return (try? Data(contentsOf: URL(filePath: "/proc/self/cmdline"))).map(inMemory)
        }
        return (1..<Int(CommandLine.argc)).compactMap { place in
            CommandLine.unsafeArgv[place].map {
                Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
            }
        }
    }

    /// The refusal if the arguments cannot be read.
    static let unknown = Refusal(
        .unreachable, code: "no_arguments",
        "The arguments of this call cannot be read because /proc is not mounted. Mount it: mount "
            + "-t proc proc /proc")

    /// The arguments in the memory of a process, each ended by a zero byte, without the program's
    /// name.
    static func inMemory(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        bytes.split(separator: 0, omittingEmptySubsequences: false).dropFirst().dropLast()
            .map(Array.init)
    }

    /// The arguments as texts. Arguments that are not valid UTF-8, or have long runs of combining
    /// marks, are refused, because they would be changed silently.
    ///
    /// - Throws: ``Refusal`` with `usage`, which names the argument.
    static func texts(_ arguments: [[UInt8]]) throws(Refusal) -> [String] {
        var texts: [String] = []
        for (place, bytes) in arguments.enumerated() {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Refusal(
                    .invalid, code: "usage",
                    "Argument \(place + 1), \"\(String(decoding: bytes, as: UTF8.self))\", is not "
                        + "UTF-8 text. Type it in UTF-8.")
            }
            guard text.streamSafe.utf8.count == bytes.count else {
                throw Refusal(
                    .invalid, code: "usage",
                    "Argument \(place + 1) has more than \(StreamSafeText.marksMax) combining "
                        + "marks in a row.")
            }
            texts.append(text)
        }
        return texts
    }

    /// The arguments with each negative number joined to the option before it: `--plus -1` becomes
    /// `--plus=-1`. No option's name begins with a digit, but the parser treats everything with a
    /// leading dash as an option and would miss the value. A negative number followed by more text,
    /// as in `cron next "-1 * * * *"`, is a text and is moved behind all options.
    static func joiningNegativeNumbers(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        var joined: [String] = []
        var texts: [String] = []
        for argument in arguments[..<end] {
            if isNegative(argument), let option = joined.last, option.hasPrefix("--"),
                !option.contains("=")
            {
                joined[joined.count - 1] = "\(option)=\(argument)"
            } else if isNegative(argument), argument.contains(" ") {
                texts.append(argument)
            } else {
                joined.append(argument)
            }
        }
        guard !texts.isEmpty else { return joined + arguments[end...] }
        return joined + ["--"] + texts + arguments[end...].dropFirst()
    }

    /// Refuses negative numbers that no option takes. The parser would read `-1h` as two options,
    /// the second of them a request for help.
    ///
    /// - Throws: ``Refusal`` with `usage` for a negative number that no option takes.
    static func checkOptions(_ arguments: [String]) throws(Refusal) {
        guard let odd = arguments.prefix(while: { $0 != "--" }).first(where: isNegative) else {
            return
        }
        throw Refusal(
            .invalid, code: "usage",
            "There is no option \(odd). Put -- before a word that begins with a dash.")
    }

    private static func isNegative(_ text: String) -> Bool {
        let rest = text.utf8.dropFirst().drop { $0 == UInt8(ascii: ".") }
        return text.hasPrefix("-")
            && rest.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }

    /// Options whose values are texts for people, which are never names.
    private static let textOptions: Set<String> = [
        "--note", "--title", "--text", "--place-text", "--link", "--name",
    ]

    /// Replaces a text in arguments by another one: a whole argument, the value of an option as in
    /// `--who=anna`, or a part of a list with commas.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - other: the text to write instead.
    ///   - arguments: the arguments.
    /// - Returns: the new arguments; `nil` if the text does not stand in exactly one place.
    static func replacing(
        _ text: String, by other: String, in arguments: [String]
    ) -> [String]? {
        var count = 0
        var last = ""
        let replaced = arguments.map { argument in
            defer { last = argument }
            guard !textOptions.contains(last) else { return argument }
            return replacing(text, by: other, in: argument, &count)
        }
        return count == 1 ? replaced : nil
    }

    private static func replacing(
        _ text: String, by other: String, in argument: String, _ count: inout Int
    ) -> String {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let isOption = argument.hasPrefix("--")
        guard !isOption || parts.count == 2 && !textOptions.contains(String(parts[0])) else {
            return argument
        }
        let start = isOption ? "\(parts[0])=" : ""
        let value = isOption ? String(parts[1]) : argument
        guard value != text else {
            count += 1
            return start + other
        }
        let quoted = other.contains(",") ? "\"\(other)\"" : other
        let names = value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let places = names.indices.filter {
            names[$0].trimmingCharacters(in: .whitespaces) == text
        }
        guard !places.isEmpty else { return argument }
        count += places.count
        return start
            + names.indices.map { places.contains($0) ? quoted : names[$0] }.joined(separator: ",")
    }
}
