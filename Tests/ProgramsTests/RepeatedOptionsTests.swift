import ArgumentParser
import Planning
import Testing

@testable import Programs

/// A command with options that take one value, and options that take several.
private struct TripCommand: ParsableCommand {
    @Argument var words: [String] = []
    @Option var on: String?
    @Option(name: [.long, .customLong("length")]) var duration: String?
    @Option(name: [.customLong("who"), .customLong("with")], parsing: .upToNextOption)
    var people: [String] = []
    @Flag var quiet = false
}

struct RepeatedOptionsTests {
    private func refusal(of line: String) -> Refusal? {
        let arguments = line.split(separator: " ").map(String.init)
        do {
            try RepeatedOptions.check(arguments, of: TripCommand.self)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("choir --on mon --on tue", "--on is given twice, but takes one value. Give it once."),
        ("--on=mon choir --on tue", "--on is given twice, but takes one value. Give it once."),
        ("--on a --on b --on=c", "--on is given 3 times, but takes one value. Give it once."),
        (
            "--duration 1h --length 2h",
            "--duration and --length are the same option, which takes one value. Give one of them."
        ),
    ])
    func `An option that takes one value is refused if it is given again`(
        line: String, sentence: String
    ) {
        let refused = refusal(of: line)
        #expect(refused?.code == "usage")
        #expect(refused?.category == .invalid)
        #expect(refused?.message == sentence)
    }

    @Test(arguments: [
        "", "choir", "choir --on mon", "--who anna --who ben", "--who anna --with ben",
        "--quiet --quiet", "--on mon -- --on tue", "--unknown a --unknown b",
        "--on mon --on tue --help", "--on mon --onto tue",
    ])
    func `Lists, flags, unknown options and words after two dashes may be repeated`(line: String) {
        #expect(refusal(of: line) == nil)
    }
}
