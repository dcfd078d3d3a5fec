/// Tables in an encoding of older systems: the code page 850, which spreadsheets still offer as
/// "CSV (MS-DOS)", Mac Roman, "CSV (Macintosh)", and Windows-1250 and ISO 8859-2, of Central
/// Europe.
///
/// A file does not state its encoding. The one counts in which most letters stand where letters
/// belong: small ones within words, and capitals at their beginning.
enum OlderText: String, CaseIterable {
    case dos = "cp850"
    case mac = "macintosh"
    case central = "windows-1250"
    case latin2 = "iso-8859-2"

    /// The name of the encoding.
    var words: String {
        switch self {
        case .dos: "code page 850"
        case .mac: "Mac Roman"
        case .central: "Windows-1250"
        case .latin2: "ISO-8859-2"
        }
    }

    /// The older encoding of a text; `nil` for UTF-8, and where Windows-1252 fits as well.
    static func encoding(of bytes: [UInt8]) -> OlderText? {
        guard !bytes[...].isASCII, !hasUTF8(bytes) else { return nil }
        // Only older Macs end lines with CR alone.
        let isOfMac = !bytes.contains(.lineFeed) && bytes.contains(.carriageReturn)
        let usual = LetterPlaces(in: .windows1252).score(of: bytes)
        guard usual.misplaced > 0 || isOfMac else { return nil }
        let scores = allCases.compactMap { encoding in
            Charset(name: encoding.rawValue).map { charset in
                let points = LetterPlaces(in: charset).score(of: bytes).points
                return (encoding: encoding, points: points)
            }
        }
        guard let best = scores.max(by: { $0.points < $1.points }),
            best.points > usual.points - (isOfMac ? 1 : 0)
        else { return nil }
        return best.encoding
    }

    /// True if a line is in UTF-8 and not ASCII.
    private static func hasUTF8(_ bytes: [UInt8]) -> Bool {
        bytes.split { $0 == .lineFeed || $0 == .carriageReturn }.contains {
            !$0.isASCII && String(validating: $0, as: UTF8.self) != nil
        }
    }
}

/// The characters of an encoding with one byte for each.
private struct LetterPlaces {
    private enum Kind {
        case small, capital
        /// A mark that may stand within words, such as an apostrophe.
        case mark
        /// A mark that stands before or behind words, such as a quotation mark.
        case edge
        case sign
        /// A character that no table has.
        case never

        var isLetter: Bool { self == .small || self == .capital }
    }

    /// The kind of each byte, and the points for a letter in its place.
    private let kinds: [(kind: Kind, points: Int)]

    /// The letters that are frequent in languages of Western Europe.
    private static let frequent = Set("äöüßéèçàåñáíóøæâêÄÖÜÉÅØÆÇ".unicodeScalars)

    init(in charset: Charset) {
        kinds = (UInt8.min...UInt8.max).map { byte in
            let scalar = charset.text([byte][...])?.unicodeScalars.first ?? "\u{FFFD}"
            return (Self.kind(of: scalar), Self.frequent.contains(scalar) ? 2 : 1)
        }
    }

    /// The points for characters beyond ASCII: plus for each that stands where it may stand, minus
    /// for each that does not; and the number of characters that do not.
    func score(of bytes: [UInt8]) -> (points: Int, misplaced: Int) {
        var (points, misplaced) = (0, 0)
        for place in bytes.indices where bytes[place] > 0x7F {
            let before = place > 0 ? kinds[Int(bytes[place - 1])].kind : .sign
            let after = place + 1 < bytes.count ? kinds[Int(bytes[place + 1])].kind : .sign
            let own = kinds[Int(bytes[place])]
            if Self.isMisplaced(own.kind, between: before, and: after) {
                misplaced += 1
                points -= 2
            } else if before.isLetter || after.isLetter {
                points += Self.points(for: own.kind) ?? own.points
            }
        }
        return (points, misplaced)
    }

    /// The points for a character that is no letter; `nil` for a letter.
    private static func points(for kind: Kind) -> Int? {
        switch kind {
        case .small, .capital: nil
        case .mark, .edge: 2
        case .sign, .never: 0
        }
    }

    private static func isMisplaced(
        _ kind: Kind, between before: Kind, and after: Kind
    ) -> Bool {
        switch kind {
        case .mark: false
        case .never: true
        case .sign, .edge: before.isLetter && after.isLetter
        case .small: before == .capital && after == .capital
        case .capital: before == .small || before == .capital && after == .small
        }
    }

    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        let isUsual = scalar.isASCII || (0xC0...0x17F).contains(scalar.value)
        if isUsual, scalar.properties.isLowercase { return .small }
        if isUsual, scalar.properties.isUppercase { return .capital }
        if "'.-’‘–—´\u{A0}".unicodeScalars.contains(scalar) { return .mark }
        if "“”„…•™‹›«»¡¿ªº".unicodeScalars.contains(scalar) { return .edge }
        let isControl = (0x7F...0x9F).contains(scalar.value)
        return isControl || "ƒˆ˜\u{FFFD}".unicodeScalars.contains(scalar) ? .never : .sign
    }
}
