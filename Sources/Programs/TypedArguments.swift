import Foundation
import Glibc
import Planning

/// The arguments of a call, as somebody typed them.
enum TypedArguments {
    /// Those of this process, byte for byte: `CommandLine.arguments` has put U+FFFD in already.
    ///
    /// Swift's runtime finds them beside the environment, and not any more once a library that was
    /// loaded before the program has set a variable, as libfaketime does. The system knows them;
    /// `nil` where it does not tell.
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

    /// Why nothing can be done where the arguments are not known.
    static let unknown = Refusal(
        .unreachable, code: "no_arguments",
        "The arguments of this call cannot be read: /proc is not mounted here. Mount it: mount -t "
            + "proc proc /proc")

    /// Those in a process's memory, each with a zero behind it and the program's name before all.
    static func inMemory(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        bytes.split(separator: 0, omittingEmptySubsequences: false).dropFirst().dropLast()
            .map(Array.init)
    }

    /// The arguments as texts: what is no UTF-8 would be kept as something else than was typed.
    ///
    /// - Throws: ``Refusal`` with `usage`, which names the argument.
    static func texts(_ arguments: [[UInt8]]) throws(Refusal) -> [String] {
        var texts: [String] = []
        for (place, bytes) in arguments.enumerated() {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Refusal(
                    .invalid, code: "usage",
                    "Argument \(place + 1), \(String(decoding: bytes, as: UTF8.self)), is no "
                        + "UTF-8 text. Type it in UTF-8.")
            }
            texts.append(text)
        }
        return texts
    }

    /// The same call with each negative number as the value of the option before it: `--plus -1`
    /// as `--plus=-1`. No option's name begins with a digit, but the parser takes whatever begins
    /// with a dash for one, and would miss a value. One with more behind it, as in
    /// `cron next "-1 * * * *"`, is a text and stands behind all options.
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

    /// The parser would take `-1h` for two options, and the second for the one that asks for help.
    ///
    /// - Throws: ``Refusal`` with `usage` for a negative number that no option takes.
    static func checkOptions(_ arguments: [String]) throws(Refusal) {
        guard let odd = arguments.prefix(while: { $0 != "--" }).first(where: isNegative) else {
            return
        }
        throw Refusal(
            .invalid, code: "usage",
            "There is no option \(odd). Words that begin with a dash stand behind -- .")
    }

    private static func isNegative(_ text: String) -> Bool {
        let rest = text.utf8.dropFirst().drop { $0 == UInt8(ascii: ".") }
        return text.hasPrefix("-")
            && rest.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }
}
