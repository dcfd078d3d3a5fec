import Foundation
import StreamSafe

/// Header texts that are not plain ASCII (RFC 2047).
enum EncodedWord {
    /// The longest encoded-word, in characters (RFC 2047, 2).
    static let charactersMax = 75

    private static let frame = "=?utf-8?x??=".utf8.count
    private static let payloadMax = charactersMax - frame

    /// The encoding of the octets.
    private enum Form: Character {
        case base64 = "b"
        case quoted = "q"
    }

    /// A text as encoded-words. No character is split between two of them, and Latin text stays
    /// nearly readable.
    ///
    /// - Parameters:
    ///   - text: a text without line breaks.
    ///   - taken: the number of characters on the first line before the first word.
    /// - Returns: the words; the first one is shorter by `taken` characters.
    static func words(_ text: String, behind taken: Int = 0) -> [String] {
        let quoted = text.utf8.reduce(0) { $0 + quotedWidth($1) }
        let form: Form = quoted <= 2 * text.utf8.count ? .quoted : .base64
        return chunks(of: text, as: form, behind: taken).map { word($0, as: form) }
    }

    private static func chunks(of text: String, as form: Form, behind taken: Int) -> [[UInt8]] {
        var chunks: [[UInt8]] = []
        var chunk: [UInt8] = []
        var room = room(in: payloadMax - taken, as: form)
        for scalar in text.unicodeScalars {
            let octets = Array(scalar.utf8)
            let width = form == .quoted ? octets.reduce(0) { $0 + quotedWidth($1) } : octets.count
            if width > room, !chunk.isEmpty {
                chunks.append(chunk)
                (chunk, room) = ([], Self.room(in: payloadMax, as: form))
            }
            chunk += octets
            room -= width
        }
        return chunk.isEmpty ? chunks : chunks + [chunk]
    }

    /// The capacity of a number of characters: in octets for base64, in characters for quoted text.
    private static func room(in characters: Int, as form: Form) -> Int {
        form == .quoted ? characters : characters / 4 * 3
    }

    private static func word(_ octets: [UInt8], as form: Form) -> String {
        let payload =
            switch form {
            case .base64: Data(octets).base64EncodedString()
            case .quoted: octets.map(quoted).joined()
            }
        return "=?utf-8?\(form.rawValue)?\(payload)?="
    }

    private static func quotedWidth(_ octet: UInt8) -> Int {
        isPlain(octet) || octet == .space ? 1 : 3
    }

    private static func quoted(_ octet: UInt8) -> String {
        if octet == .space { return "_" }
        if isPlain(octet) { return String(UnicodeScalar(octet)) }
        let digits = String(octet, radix: 16, uppercase: true)
        return octet < 0x10 ? "=0\(digits)" : "=\(digits)"
    }

    /// True for an octet that needs no encoding, wherever an encoded-word may appear (RFC 2047, 5
    /// (3)).
    private static func isPlain(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "*"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "/"):
            true
        default: false
        }
    }

    /// A text with its encoded-words decoded. Words in an unknown charset are read as UTF-8 or
    /// Windows-1252.
    /// Whitespace between two encoded-words is dropped (RFC 2047, 6.2). Some programs split a
    /// character between two words, or write blanks and soft line breaks within one.
    static func decoded(_ text: String) -> String {
        guard text.contains("=?") else { return text.streamSafe }
        let form = /=\?([^?\s]+)\?([bBqQ])\?([^?]*)\?=/
        var result = ""
        var words: [Word] = []
        var rest = text[...]
        while let match = rest.firstMatch(of: form) {
            let between = rest[..<match.range.lowerBound]
            let word = Word(charset: match.1, isBase64: match.2.lowercased() == "b", match.3)
            if words.isEmpty || word == nil || !between.allSatisfy(\.isWhitespace) {
                result += Word.text(of: words[...]) + between
                words = []
            }
            if let word { words.append(word) } else { result += match.0 }
            rest = rest[match.range.upperBound...]
        }
        result += Word.text(of: words[...])
        return (result + rest).streamSafe
    }
}

/// A decoded encoded-word.
private struct Word {
    let charset: String
    let octets: [UInt8]

    /// Decodes the payload of a word; `nil` if it cannot be decoded.
    init?(charset: Substring, isBase64: Bool, _ payload: Substring) {
        // A language tag may follow the charset (RFC 2231, 5).
        self.charset = charset.prefix { $0 != "*" }.lowercased()
        guard isBase64 else {
            let line = payload.replacing(/=\s+/, with: "")
            let spaced = line.utf8.map { $0 == .underscore ? UInt8.space : $0 }
            octets = QuotedPrintable.decoded(spaced[...])
            return
        }
        let data = Data(base64Encoded: Data(payload.utf8), options: .ignoreUnknownCharacters)
        guard let data else { return nil }
        octets = Array(data)
    }

    /// The text of words that stand side by side. Those of one charset are decoded together.
    static func text(of words: ArraySlice<Word>) -> String {
        var text = ""
        var rest = words
        while let first = rest.first {
            let same = rest.prefix { $0.charset == first.charset }
            text += joined(same, charset: first.charset)
            rest = rest.dropFirst(same.count)
        }
        return text
    }

    private static func joined(_ words: ArraySlice<Word>, charset: String) -> String {
        let whole = DecodedText(words.flatMap(\.octets)[...], charsetNamed: charset)
        guard whole.isGuess, words.count > 1 else { return whole.text }
        return words.map { DecodedText($0.octets[...], charsetNamed: charset).text }.joined()
    }
}
