import Glibc

/// Highlights words with control sequences if colours are enabled.
package struct Paint: Equatable {
    private static let plain = "\u{1B}[0m"
    private static let boldface = "\u{1B}[1m"
    private static let faintness = "\u{1B}[2m"
    private static let redness = "\u{1B}[31m"

    /// All control sequences that this type writes.
    package static let sequences = [plain, boldface, faintness, redness]

    package let isOn: Bool

    /// The paint for standard output.
    package static var answers: Paint { Paint(isOn: Screen.hasColour(STDOUT_FILENO)) }
    /// The paint for standard error.
    package static var messages: Paint { Paint(isOn: Screen.hasColour(STDERR_FILENO)) }

    package func bold(_ text: String) -> String { wrapped(text, Self.boldface) }
    package func faint(_ text: String) -> String { wrapped(text, Self.faintness) }
    package func red(_ text: String) -> String { wrapped(text, Self.redness) }

    private func wrapped(_ text: String, _ sequence: String) -> String {
        isOn ? sequence + text + Self.plain : text
    }
}
