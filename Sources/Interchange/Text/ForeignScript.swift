/// The scripts besides Latin, and the encodings that programs used for them before UTF-8.
///
/// A text is read in each encoding. The one counts in which most letters are frequent ones of its
/// script and stand where letters of that kind stand.
enum ForeignScript {
    case cyrillic, greek, hebrew, arabic, thai, japanese, simplified, traditional, korean

    /// An encoding of a script.
    struct Encoding: Equatable {
        /// The name for iconv.
        let name: String
        /// The name for people.
        let words: String
        let script: ForeignScript
        /// The lead that a rarer encoding needs over the others, in points a letter.
        var handicap = 0.0
    }

    /// The result of looking at a text.
    enum Finding: Equatable {
        case encoding(Encoding)
        /// The text is hardly Latin, but it is not certain what it is.
        case unclear
        /// Nothing speaks for another script than Latin.
        case latin
    }

    /// The encodings. KOI8-U has all letters of KOI8-R.
    static let encodings = [
        Encoding(name: "CP1251", words: "Windows-1251", script: .cyrillic),
        Encoding(name: "KOI8-U", words: "KOI8", script: .cyrillic),
        Encoding(name: "CP866", words: "code page 866", script: .cyrillic, handicap: 0.05),
        Encoding(name: "ISO-8859-5", words: "ISO-8859-5", script: .cyrillic, handicap: 0.1),
        Encoding(name: "MAC-CYRILLIC", words: "Mac Cyrillic", script: .cyrillic, handicap: 0.1),
        Encoding(name: "CP1253", words: "Windows-1253", script: .greek),
        Encoding(name: "ISO-8859-7", words: "ISO-8859-7", script: .greek),
        Encoding(name: "CP1255", words: "Windows-1255", script: .hebrew),
        Encoding(name: "CP1256", words: "Windows-1256", script: .arabic),
        Encoding(name: "ISO-8859-6", words: "ISO-8859-6", script: .arabic, handicap: 0.05),
        Encoding(name: "CP874", words: "Windows-874", script: .thai, handicap: 0.2),
        Encoding(name: "CP932", words: "Shift_JIS", script: .japanese),
        Encoding(name: "EUC-JP", words: "EUC-JP", script: .japanese),
        Encoding(name: "GB18030", words: "GB 18030", script: .simplified),
        Encoding(name: "BIG5-HKSCS", words: "Big5", script: .traditional),
        Encoding(name: "CP949", words: "EUC-KR", script: .korean),
    ]

    /// The points a letter that a text has at least in its own encoding.
    private static let pointsMin = 1.4
    /// The points a letter by which an encoding must exceed those of other scripts.
    private static let lead = 0.3
    /// The fewest letters that tell, and of scripts with a character for each syllable or word.
    private static let (lettersMin, charactersMin) = (9, 4)

    /// The encoding of a text that is not UTF-8.
    static func finding(in bytes: [UInt8]) -> Finding {
        let ratings = encodings.compactMap { rating(of: bytes, in: $0) }
            .sorted { $0.points > $1.points }
        guard let best = ratings.first, best.points >= pointsMin else {
            return isHardlyLatin(bytes) ? .unclear : .latin
        }
        let script = best.encoding.script
        let other = ratings.first { $0.encoding.script != script }
        let isAhead = best.points - (other?.points ?? 0) >= lead
        let countMin = script.hasSmallAlphabet ? lettersMin : charactersMin
        if isAhead, best.count >= countMin { return .encoding(best.encoding) }
        return best.count >= charactersMin || isHardlyLatin(bytes) ? .unclear : .latin
    }

    /// True if most octets beyond ASCII stand in long rows. In words of Latin letters, they do not.
    private static func isHardlyLatin(_ bytes: [UInt8]) -> Bool {
        var (all, inRows, row) = (0, 0, 0)
        for byte in bytes {
            if byte > 0x7F {
                all += 1
                row += 1
                if row == rowMin { inRows += rowMin } else if row > rowMin { inRows += 1 }
            } else {
                row = 0
            }
        }
        return inRows * 10 > all * 6
    }

    /// The length of a long row.
    private static let rowMin = 4

    private struct Rating {
        let encoding: Encoding
        /// The points a letter.
        let points: Double
        let count: Int
    }

    private static func rating(of bytes: [UInt8], in encoding: Encoding) -> Rating? {
        guard let charset = Charset(name: encoding.name),
            let text = charset.repairedText(bytes[...])
        else { return nil }
        let (points, count) = encoding.script.points(of: text)
        guard count > 0 else { return nil }
        return Rating(
            encoding: encoding, points: points / Double(count) - encoding.handicap, count: count)
    }

    /// True for scripts with a few dozen letters.
    private var hasSmallAlphabet: Bool {
        switch self {
        case .cyrillic, .greek, .hebrew, .arabic, .thai: true
        case .japanese, .simplified, .traditional, .korean: false
        }
    }
}

extension ForeignScript {
    /// The points for all characters beyond ASCII, and their number.
    private func points(of text: String) -> (points: Double, count: Int) {
        let weights = weights
        var (points, count) = (0.0, 0)
        var before = Neighbour.none
        let scalars = Array(text.unicodeScalars)
        for (place, scalar) in scalars.enumerated() {
            let own = Neighbour(scalar)
            if !scalar.isASCII {
                let after =
                    place + 1 < scalars.count ? Neighbour(scalars[place + 1]) : Neighbour.none
                points += self.points(scalar, weights, before, own, after)
                count += 1
            }
            before = own
        }
        return (points, count)
    }

    /// A character as the neighbour of another.
    private enum Neighbour {
        case latin, small, capital, letter, none

        init(_ scalar: Unicode.Scalar) {
            if scalar.isASCII {
                self = (scalar.value | 0x20) &- 0x61 < 26 ? .latin : .none
            } else if scalar.properties.isUppercase {
                self = .capital
            } else if scalar.properties.isLowercase {
                self = .small
            } else {
                self = scalar.properties.isAlphabetic ? .letter : .none
            }
        }

        var isLetter: Bool { self != .none }
    }

    /// The points for a character: none for a sign that may stand between words.
    private func points(
        _ scalar: Unicode.Scalar, _ weights: [Unicode.Scalar: Double], _ before: Neighbour,
        _ own: Neighbour, _ after: Neighbour
    ) -> Double {
        if scalar == "\u{FFFD}" || (0x80...0x9F).contains(scalar.value)
            || (0xE000...0xF8FF).contains(scalar.value)
        {
            return -4
        }
        guard let weight = weights[scalar] ?? usualWeight(of: scalar) else {
            if own.isLetter { return -3 }
            return before.isLetter && after.isLetter ? -2 : 0
        }
        if hasSmallAlphabet, before == .latin || after == .latin { return -4 }
        if !hasSmallAlphabet, before == .latin, after == .latin { return -1 }
        return weight + pointsForPlace(scalar, before, own, after)
    }

    /// The points for a letter whose form says where in a word it stands.
    private func pointsForPlace(
        _ scalar: Unicode.Scalar, _ before: Neighbour, _ own: Neighbour, _ after: Neighbour
    ) -> Double {
        switch (self, own) {
        case (.greek, .small) where scalar == "ς" && after.isLetter,
            (.greek, .small) where scalar == "σ" && !after.isLetter:
            return -4
        case (.cyrillic, .capital), (.greek, .capital):
            return before == .small ? -5 : before == .capital ? -0.8 : 0
        case (.cyrillic, .small), (.greek, .small):
            return before == .capital ? 1.5 : before.isLetter ? 0 : -2
        case (.hebrew, _) where Self.finals.contains(scalar): return after.isLetter ? -5 : 1
        case (.hebrew, _) where Self.openForms.contains(scalar): return after.isLetter ? 0 : -3
        default: return 0
        }
    }

    /// The forms of Hebrew letters at the end of words, and within words.
    private static let (finals, openForms) = (
        Set("\u{5DA}\u{5DD}\u{5DF}\u{5E3}\u{5E5}".unicodeScalars),
        Set("\u{5DB}\u{5DE}\u{5E0}\u{5E4}\u{5E6}".unicodeScalars)
    )

    /// The points for a character of the script that is not frequent.
    private func usualWeight(of scalar: Unicode.Scalar) -> Double? {
        switch (self, scalar.value) {
        case (.thai, 0xE01...0xE5B): 1
        case (.japanese, 0x3041...0x3096), (.japanese, 0x30A1...0x30FF): 3
        case (.japanese, 0x4E00...0x9FFF), (.simplified, 0x4E00...0x9FFF),
            (.traditional, 0x4E00...0x9FFF):
            0
        case (.korean, 0xAC00...0xD7A3): 0.5
        case (.korean, 0x4E00...0x9FFF): -1
        default: nil
        }
    }
}
