/// The text encodings that address books use besides UTF-16.
enum Charset: Equatable {
    case utf8
    case windows1252

    /// The encoding named by a CHARSET parameter; `nil` if it is unknown.
    ///
    /// Latin 1 is read as Windows-1252, as in browsers (WHATWG). They differ only in control
    /// characters, which no contact contains.
    init?(name: String) {
        switch name.lowercased() {
        case "utf-8", "utf8", "us-ascii", "ascii": self = .utf8
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "windows-1252", "cp1252", "cp-1252":
            self = .windows1252
        default: return nil
        }
    }
}

/// Bytes converted to UTF-8, with a flag for a guessed encoding.
struct DecodedText {
    /// Valid UTF-8.
    let bytes: ArraySlice<UInt8>
    /// True if the bytes were not valid UTF-8 and were read as Windows-1252 without a statement of
    /// that encoding.
    let isGuess: Bool

    var text: String { String(decoding: bytes, as: UTF8.self) }

    init(_ source: ArraySlice<UInt8>, charset: Charset?) {
        if source.isASCII
            || charset != .windows1252 && String(validating: source, as: UTF8.self) != nil
        {
            bytes = source
            isGuess = false
            return
        }
        var text = String.UnicodeScalarView()
        for byte in source {
            text.append(DecodedText.windows1252Scalar(byte))
        }
        bytes = Array(String(text).utf8)[...]
        isGuess = charset != .windows1252
    }

    private static func windows1252Scalar(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        return windows1252High[Int(byte - 0x80)]
    }

    /// The characters for 0x80 to 0x9F; the five undefined ones stay control characters.
    private static let windows1252High: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
        "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
        "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}",
        "\u{2014}", "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}",
        "\u{178}",
    ]
}
