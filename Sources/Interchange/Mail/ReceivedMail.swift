import Foundation
import StreamSafe
public import Timekeeping

/// A received mail, parsed leniently: broken parts are skipped without failing the rest.
///
/// ```swift
/// let mail = ReceivedMail(octets)
/// mail.parts.first?.type == "text/plain"
/// ```
public struct ReceivedMail: Sendable {
    /// The most octets that are read. Nobody writes a longer answer.
    public static let octetsMax = 10 << 20

    /// A part without nested parts.
    public struct Part: Sendable {
        /// The content type in lower case, such as `text/plain`.
        public let type: String
        /// The parameters of the content type; names are in lower case.
        public let parameters: [String: String]
        /// The decoded content.
        public let octets: [UInt8]
        /// True if the part is an attached file and not text for the reader.
        public let isAttachment: Bool

        /// The content as text. A text in an unknown charset is read as far as possible.
        public var text: String {
            DecodedText(checking: octets[...], charsetNamed: parameters["charset"]).text
        }
    }

    private let fields: [MailField]
    /// The innermost parts in their order, at any depth.
    public private(set) var parts: [Part] = []
    /// The content type of the whole mail, in lower case and without its parameters.
    public let type: String
    /// The parameters of the content type of the whole mail.
    public let typeParameters: [String: String]

    /// Parses a mail.
    public init(_ octets: [UInt8]) {
        let entity = MailEntity(octets.prefix(Self.octetsMax))
        fields = entity.fields
        (type, typeParameters) = entity.contentType
        var room = MailEntity.partsMax
        parts = entity.leaves(room: &room)
    }

    /// Parses the beginning of a mail that is too large. Its last part is cut off, and left out
    /// unless it is a text for the reader.
    public init(beginning octets: [UInt8]) {
        self.init(octets)
        if let last = parts.last, !["text/plain", "text/html"].contains(last.type) {
            parts.removeLast()
        }
    }

    /// The value of the first field with a name, decoded; `nil` if there is none.
    public subscript(name: String) -> String? {
        fields.first { $0.name == name.lowercased() }?.decoded
    }

    /// The values of all fields with a name, decoded.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name == name.lowercased() }.map(\.decoded)
    }

    /// The addresses in all fields with a name, as far as they can be recognized.
    public func addresses(in name: String) -> [String] {
        fields.filter { $0.name == name.lowercased() }.flatMap(\.addresses)
    }

    /// The text of the first plain text part.
    public var text: String? {
        parts.first { $0.type == "text/plain" && !$0.isAttachment }?.text
    }

    /// The text for the reader: plain, or else that of the HTML part; empty if there is none.
    public var readableText: String {
        func start(_ type: String) -> String? {
            parts.first { $0.type == type && !$0.isAttachment }.map { part in
                let octets = part.octets.start(of: Self.readableOctetsMax)
                let own = type == "text/html" ? HTMLText.charset(of: octets) : nil
                let text = DecodedText(
                    checking: octets, charsetNamed: part.parameters["charset"] ?? own
                ).text
                guard part.parameters["format"]?.lowercased() == "flowed" else { return text }
                return FlowedText.plain(
                    text, deletingSpaces: part.parameters["delsp"]?.lowercased() == "yes")
            }
        }
        let text = start("text/plain")
        if let text, !text.allSatisfy(\.isWhitespace) { return text }
        return start("text/html").map(HTMLText.plain) ?? text ?? ""
    }

    /// The most octets of a text that are read. Nobody writes a longer note.
    private static let readableOctetsMax = 512 << 10

    /// The date in the header (RFC 5322, 3.3); `nil` if there is none or if it cannot be read.
    public var date: Moment? { self["Date"].flatMap(MailDate.moment) }

    /// The time at which the last mail server received it (RFC 5321, 4.4); `nil` if unknown.
    public var receivedAt: Moment? {
        self["Received"].flatMap { field in
            field.split(separator: ";").last.flatMap { MailDate.moment(String($0)) }
        }
    }

    /// The address of the author. A mail has one author in one From field; `nil` if it has none or
    /// several.
    public var author: String? {
        let fields = fields.filter { $0.name == "from" }
        guard fields.count == 1, let addresses = fields.first?.addresses else { return nil }
        return Set(addresses.map(MailAddress.folded)).count == 1 ? addresses[0] : nil
    }
}

/// A field of a header, undecoded.
struct MailField: Sendable {
    /// The name in lower case.
    let name: String
    /// The value after the colon, unfolded.
    let raw: [UInt8]

    /// The most octets of a field that are read.
    private static let octetsMax = 64 << 10

    private var text: String { DecodedText(raw.start(of: Self.octetsMax), charset: nil).text }

    /// The value with encoded-words decoded.
    var decoded: String { EncodedWord.decoded(text) }

    /// The addresses in the field: the text in angle brackets, otherwise words with an `@`. Text in
    /// quotes or in comments is a name, even if it looks like an address.
    var addresses: [String] {
        var found: [String] = []
        for part in AddressList.parts(of: text) {
            if let address = MailAddress.plausible(part) { found.append(address) }
        }
        return found
    }
}

extension [UInt8] {
    /// The first octets, up to a number of them, without a part of a character of UTF-8 at the end.
    fileprivate func start(of countMax: Int) -> ArraySlice<UInt8> {
        guard count > countMax else { return self[...] }
        var start = prefix(countMax)
        while let last = start.last, last & 0xC0 == 0x80 { start.removeLast() }
        if let last = start.last, last >= 0xC0 { start.removeLast() }
        return start
    }
}

/// A lenient parser for lists of addresses (RFC 5322, 3.4).
enum AddressList {
    /// The addresses in a list, one for each member.
    static func parts(of text: String) -> [String] {
        var reading = AddressReading()
        // Scalars are compared, because a combining mark after a quotation mark would hide it in a
        // Character.
        for scalar in text.unicodeScalars { reading.take(scalar) }
        return reading.ended
    }
}

/// The state of parsing a list of addresses.
private struct AddressReading {
    private var parts: [String] = []
    private var word = String.UnicodeScalarView()
    /// True while the word contains only whitespace.
    private var isWordBlank = true
    /// The last text in quotes, which is the beginning of an address if an `@` follows (RFC 5322,
    /// 3.4.1).
    private var quoted = String.UnicodeScalarView()
    private var bracketed: String.UnicodeScalarView?
    private var depth = 0
    private var isQuoted = false
    private var isEscaped = false
    private var isInBrackets = false
    /// True within quotes in brackets, where a bracket does not end the address.
    private var isQuotedInBrackets = false

    mutating func take(_ scalar: Unicode.Scalar) {
        if isEscaped {
            isEscaped = false
            if isQuoted { quoted.append(scalar) }
        } else if isInBrackets {
            takeBracketed(scalar)
        } else if scalar == "\\" {
            isEscaped = isQuoted || depth > 0
            if isQuoted { quoted.append(scalar) }
        } else if isQuoted {
            isQuoted = scalar != "\""
            if isQuoted { quoted.append(scalar) }
        } else if depth > 0 {
            depth += scalar == "(" ? 1 : scalar == ")" ? -1 : 0
        } else {
            takePlain(scalar)
        }
    }

    private mutating func takeBracketed(_ scalar: Unicode.Scalar) {
        if scalar == "\"" { isQuotedInBrackets.toggle() }
        isInBrackets = scalar != ">" || isQuotedInBrackets
        guard !isInBrackets else {
            bracketed?.append(scalar)
            return
        }
        // Some programs put no comma between two members.
        end()
    }

    private mutating func takePlain(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"":
            isQuoted = true
            quoted = String.UnicodeScalarView()
        case "@" where !quoted.isEmpty && isWordBlank:
            isWordBlank = false
            word = "\"".unicodeScalars
            word.append(contentsOf: quoted)
            word.append(contentsOf: "\"@".unicodeScalars)
            quoted = String.UnicodeScalarView()
        case "(": depth = 1
        case "<":
            isInBrackets = true
            bracketed = String.UnicodeScalarView()
        case ",", ";": end()
        case ":":
            word = String.UnicodeScalarView()
            isWordBlank = true
            quoted = String.UnicodeScalarView()
        default:
            word.append(scalar)
            isWordBlank = isWordBlank && scalar.properties.isWhitespace
        }
    }

    private mutating func end() {
        let whole = String(word).streamSafe
        let plain =
            whole.hasPrefix("\"")
            ? whole[...] : whole.split { $0.isWhitespace }.first { $0.contains("@") }
        if let address = bracketed.map({ String($0).streamSafe }) ?? plain.map({ String($0) }) {
            parts.append(address.trimmingCharacters(in: .whitespaces))
        }
        word = String.UnicodeScalarView()
        isWordBlank = true
        quoted = String.UnicodeScalarView()
        bracketed = nil
    }

    var ended: [String] {
        var reading = self
        reading.end()
        return reading.parts
    }
}
