import Agenda
import StreamSafe

/// Makes texts from other sources safe to show and to store.
enum PlaceText {
    /// The most Unicode scalars of a name or an address.
    static let scalarsMax = 300
    /// The most bytes of a URL.
    static let urlBytesMax = 2000

    /// The text as a single line. Control characters and line breaks become spaces, marks that
    /// change the direction of text are removed, runs of spaces become one, and the ends are
    /// trimmed. A text longer than ``scalarsMax`` is cut.
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
        if scalars.last == " " { scalars.removeLast() }
        return ShortText.of(String(scalars), scalarsMax: scalarsMax)
    }

    /// The text of a JSON string as a single line; nil if it is not a string or shows nothing.
    static func line(_ value: JSONValue?) -> String? {
        guard let line = value?.string.map({ line($0) }), !line.showsNothing else { return nil }
        return line
    }

    /// A URL that is safe to show and open: `http` or `https` without spaces, control characters,
    /// quotes or angle brackets; nil for anything else.
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

    /// True if the text is already such a line and all ASCII, as most texts are.
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

/// A valid position on the earth.
struct PlacePosition: Equatable {
    /// An upper bound of all distances: more than half the circumference of the earth.
    static let metersMax = 21_000_000.0

    let latitude: Double
    let longitude: Double

    /// Creates a position; nil unless both coordinates are present and in range.
    init?(latitude: Double?, longitude: Double?) {
        guard let latitude, let longitude, (-90...90).contains(latitude),
            (-180...180).contains(longitude)
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The distance to another position in whole metres.
    func meters(to other: PlacePosition) -> Int {
        let kilometres = GreatCircle.kilometres(
            from: (latitude, longitude), to: (other.latitude, other.longitude))
        return Int((kilometres * 1000).rounded())
    }

    /// Degrees with six decimals, which is a tenth of a metre: `60.169521,-0.5`.
    var text: String { "\(Self.text(latitude)),\(Self.text(longitude))" }

    private static func text(_ degrees: Double) -> String {
        let rounded = (degrees * 1_000_000).rounded() / 1_000_000
        // For smaller numbers Swift writes an exponent, which not every server accepts.
        return abs(rounded) < 0.0001 ? "0.0" : "\(rounded)"
    }
}
