import Agenda

/// Makes texts of others safe to show and to keep.
enum PlaceText {
    /// The most scalars of a name or an address.
    static let scalarsMax = 300
    /// The most bytes of a page's address.
    static let urlBytesMax = 2000

    /// The text in one line: controls and line breaks are spaces, marks that turn the direction of
    /// text are gone, runs of spaces are one, and none stands at either end. Cut where it is longer
    /// than ``scalarsMax``.
    static func line(_ text: String) -> String {
        if isPlainLine(text.utf8) { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !DirectionMark.isMark(scalar) {
            let isSpace = scalar.properties.isWhitespace || isControl(scalar)
            if !isSpace {
                scalars.append(scalar)
            } else if scalars.last != " ", !scalars.isEmpty {
                scalars.append(" ")
            }
        }
        if scalars.count > scalarsMax {
            scalars.removeLast(scalars.count - scalarsMax + 1)
            scalars.append("…")
        }
        if scalars.last == " " { scalars.removeLast() }
        return String(scalars)
    }

    /// The line of a JSON string; nil where it is none or shows nothing.
    static func line(_ value: JSONValue?) -> String? {
        guard let line = value?.string.map({ line($0) }), !line.showsNothing else { return nil }
        return line
    }

    /// A page's address that may be shown and opened: `http` or `https`, printable ASCII or
    /// letters of other scripts, no spaces; nil for anything else.
    static func url(_ text: String?) -> String? {
        guard let text, text.utf8.count <= urlBytesMax,
            text.hasPrefix("https://") || text.hasPrefix("http://"),
            text.unicodeScalars.allSatisfy({
                !$0.properties.isWhitespace && !isControl($0) && !DirectionMark.isMark($0)
                    && $0 != "<" && $0 != ">" && $0 != "\""
            })
        else { return nil }
        return text
    }

    /// Whether the text is such a line already, and all ASCII: most texts are.
    private static func isPlainLine(_ bytes: String.UTF8View) -> Bool {
        var last = UInt8(ascii: " ")
        for byte in bytes {
            guard (0x20...0x7E).contains(byte), byte != 0x20 || last != 0x20 else { return false }
            last = byte
        }
        return last != 0x20 && bytes.count <= scalarsMax
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: scalar == "\u{FEFF}"
        }
    }
}

/// A position on the earth that can be.
struct PlacePosition: Equatable {
    /// More than the way around half the earth: no distance is larger.
    static let metersMax = 21_000_000.0

    let latitude: Double
    let longitude: Double

    /// Nil unless both are numbers in range.
    init?(latitude: Double?, longitude: Double?) {
        guard let latitude, let longitude, (-90...90).contains(latitude),
            (-180...180).contains(longitude)
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The way to another position, in whole metres.
    func meters(to other: PlacePosition) -> Int {
        let kilometres = GreatCircle.kilometres(
            from: (latitude, longitude), to: (other.latitude, other.longitude))
        return Int((kilometres * 1000).rounded())
    }

    /// Degrees with six decimals, a tenth of a metre: `60.169521,-0.5`.
    var text: String { "\(Self.text(latitude)),\(Self.text(longitude))" }

    private static func text(_ degrees: Double) -> String {
        let rounded = (degrees * 1_000_000).rounded() / 1_000_000
        // Below a ten-thousandth Swift writes an exponent, which not every server reads.
        return abs(rounded) < 0.0001 ? "0.0" : "\(rounded)"
    }
}
