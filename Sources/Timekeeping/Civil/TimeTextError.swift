/// Why a text is not the time or the span that was asked for: a sentence that says what was read
/// and what to write instead, to be shown to people as it is.
///
/// The sentences stand beside the readers that say them.
public struct TimeTextError: Error, Hashable, Sendable {
    /// One or two whole sentences.
    public let message: String

    init(_ message: String) {
        self.message = message
    }

    /// Makes the calendar's refusal of a number that of the text which has it.
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

/// Sentences that more than one reader says.
extension TimeTextError {
    /// The longest text that is read at all.
    static let textBytesMax = 200

    static func tooLong(bytes: Int) -> Self {
        .init(
            "That is \(bytes) bytes long, too long for a time: "
                + "write at most \(textBytesMax).")
    }

    static let controlCharacter = Self(
        "There is an invisible character in the time: type it without.")
}

extension StringProtocol {
    /// The text between quotation marks: at most 40 characters of it, and nothing that could
    /// steer a terminal.
    var quoted: String {
        let visible = prefix(40).unicodeScalars.map { $0.isVisible ? Character($0) : "?" }
        return "\"\(String(visible))\(dropFirst(40).isEmpty ? "" : "...")\""
    }
}

extension Unicode.Scalar {
    /// Whether it shows something of its own and changes nothing of what stands around it.
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
