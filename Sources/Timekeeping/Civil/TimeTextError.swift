/// The error of a text that is not the expected time or length of time: a sentence that says what
/// was read and what to write instead. It can be shown to people unchanged.
///
/// Each parser defines its own sentences beside its code.
public struct TimeTextError: Error, Hashable, Sendable {
    /// One or two complete sentences.
    public let message: String
    /// True if the text is a range of hours, whose length belongs into a duration.
    public let isRange: Bool

    init(_ message: String, isRange: Bool = false) {
        self.message = message
        self.isRange = isRange
    }

    /// Converts a ``CivilError`` about a number into the error of the text that contains it.
    static func wrapping<Value>(
        _ body: () throws(CivilError) -> Value
    ) throws(TimeTextError) -> Value {
        do throws(CivilError) {
            return try body()
        } catch {
            throw TimeTextError(error.description)
        }
    }
}

extension TimeTextError: CustomStringConvertible {
    /// The same as ``message``.
    public var description: String { message }
}

/// Sentences that more than one parser uses.
extension TimeTextError {
    /// The maximum length of a text that is parsed, in bytes.
    static let textBytesMax = 200

    static func tooLong(bytes: Int) -> Self {
        .init(
            "The time is \(bytes) bytes long: "
                + "write at most \(textBytesMax) bytes.")
    }

    static let controlCharacter = Self(
        "The time contains an invisible character: remove it.")
}

extension StringProtocol {
    /// The text in quotation marks: at most 40 characters, without characters that could control a
    /// terminal.
    var quoted: String {
        let visible = prefix(40).unicodeScalars.map { $0.isVisible ? Character($0) : "?" }
        return "\"\(String(visible))\(dropFirst(40).isEmpty ? "" : "...")\""
    }
}

extension Unicode.Scalar {
    /// True if the character is visible and does not change the display of its neighbors.
    var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
            .unassigned:
            false
        default:
            true
        }
    }
}
