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
    /// Whitespace between two encoded-words is dropped (RFC 2047, 6.2).
    static func decoded(_ text: String) -> String {
        let word = /=\?([^?\s]+)\?([bBqQ])\?([^?\s]*)\?=/
        var result = ""
        var last: String.Index?
        var rest = text[...]
        while let match = rest.firstMatch(of: word) {
            let between = rest[..<match.range.lowerBound]
            let isJoined = last != nil && between.allSatisfy(\.isWhitespace)
            guard
                let plain = plain(
                    Array(match.3.utf8), form: match.2.lowercased(), charset: String(match.1))
            else {
                result += rest[..<match.range.upperBound]
                rest = rest[match.range.upperBound...]
                last = nil
                continue
            }
            result += (isJoined ? "" : between) + plain
            rest = rest[match.range.upperBound...]
            last = match.range.upperBound
        }
        return (result + rest).streamSafe
    }

    private static func plain(_ payload: [UInt8], form: String, charset: String) -> String? {
        // A language tag may follow the charset (RFC 2231, 5).
        let charset = String(charset.prefix { $0 != "*" })
        let octets: [UInt8]
        if form == "b" {
            guard let data = Data(base64Encoded: Data(payload), options: .ignoreUnknownCharacters)
            else { return nil }
            octets = Array(data)
        } else {
            let spaced = payload.map { $0 == .underscore ? .space : $0 }
            octets = QuotedPrintable.decoded(spaced[...])
        }
        return DecodedText(octets[...], charsetNamed: charset).text
    }
}
