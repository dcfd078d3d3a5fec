import Foundation
public import Timekeeping

/// A mail as it came in, read with patience: what is broken is left out, and never fails the rest.
///
/// ```swift
/// let mail = ReceivedMail(octets)
/// mail.calendars.first?.method == "REPLY"
/// ```
public struct ReceivedMail: Sendable {
    /// The most octets that are read; more of it is no answer of anybody's.
    public static let octetsMax = 10 << 20

    /// A part that holds no other parts.
    public struct Part: Sendable {
        /// Its type in small letters, such as `text/plain`.
        public let type: String
        /// The parameters of its type; names in small letters.
        public let parameters: [String: String]
        /// What it holds, decoded.
        public let octets: [UInt8]
        /// Whether it is a file that goes along, and nothing that was written to be read.
        public let isAttachment: Bool

        /// What it holds as text; `nil` where it is in a charset that is not known here.
        public var text: String? {
            guard let name = parameters["charset"] else {
                return DecodedText(octets[...], charset: nil).text
            }
            return Charset(name: name).map { DecodedText(octets[...], charset: $0).text }
        }
    }

    private let fields: [MailField]
    /// Its parts, in their order, however deep they stand.
    public private(set) var parts: [Part] = []
    /// The type of the whole in small letters, with its parameters.
    public let type: String
    /// The parameters of the type of the whole.
    public let typeParameters: [String: String]

    /// Reads a mail.
    public init(_ octets: [UInt8]) {
        let entity = MailEntity(octets.prefix(Self.octetsMax))
        fields = entity.fields
        (type, typeParameters) = entity.contentType
        var room = MailEntity.partsMax
        parts = entity.leaves(room: &room)
    }

    /// The value of the first field of this name, decoded; `nil` where there is none.
    public subscript(name: String) -> String? {
        values(of: name).first
    }

    /// The values of all fields of this name, decoded.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name == name.lowercased() }.map(\.decoded)
    }

    /// The addresses that a field holds, as far as they can be told.
    public func addresses(in name: String) -> [String] {
        fields.filter { $0.name == name.lowercased() }.flatMap(\.addresses)
    }

    /// What people wrote, of the first part that is plain text.
    public var text: String? {
        parts.first { $0.type == "text/plain" && !$0.isAttachment }?.text
    }

    /// When it was written, as its header says (RFC 5322, 3.3); `nil` where it does not.
    public var date: Moment? { self["Date"].flatMap(MailDate.moment) }

    /// Who wrote it: a mail has one author, in one field. `nil` where it has none, or several.
    public var author: String? {
        let fields = fields.filter { $0.name == "from" }
        let addresses = fields.flatMap(\.addresses)
        return fields.count == 1 && addresses.count == 1 ? addresses[0] : nil
    }

    /// Whether a program sent it by itself (RFC 3834): nobody answers it, and it answers nothing.
    public var isAutomatic: Bool {
        let word = self["Auto-Submitted"]?.lowercased() ?? "no"
        let bulk = ["bulk", "junk", "list", "auto_reply"]
        return !word.hasPrefix("no") || self["X-Autoreply"] != nil || self["X-Autorespond"] != nil
            || bulk.contains(self["Precedence"]?.lowercased() ?? "")
    }
}

/// A field of a header, as it stands there.
struct MailField: Sendable {
    /// In small letters.
    let name: String
    /// Behind the colon, unfolded.
    let raw: [UInt8]

    /// What it says, with encoded-words decoded.
    var decoded: String {
        EncodedWord.decoded(DecodedText(raw[...], charset: nil).text)
    }

    /// The addresses in it: what stands in angle brackets, else words with an `@` in them. What
    /// stands in quotes or in brackets of remarks is a name, whatever it looks like.
    var addresses: [String] {
        var found: [String] = []
        for part in AddressList.parts(of: DecodedText(raw[...], charset: nil).text) {
            if let address = MailAddress.plausible(part) { found.append(address) }
        }
        return found
    }
}

/// Takes lists of addresses apart (RFC 5322, 3.4), with patience.
enum AddressList {
    /// The addresses in a list, one for each member.
    static func parts(of text: String) -> [String] {
        var reading = AddressReading()
        // By scalars: a mark that is combined with a quote does not hide it.
        for scalar in text.unicodeScalars { reading.take(scalar) }
        return reading.ended
    }
}

/// A list of addresses, as far as it was read.
private struct AddressReading {
    private var parts: [String] = []
    private var word = String.UnicodeScalarView()
    private var bracketed: String.UnicodeScalarView?
    private var depth = 0
    private var isQuoted = false
    private var isEscaped = false
    private var isInBrackets = false

    mutating func take(_ scalar: Unicode.Scalar) {
        if isEscaped {
            isEscaped = false
        } else if scalar == "\\" {
            isEscaped = isQuoted || depth > 0
        } else if isQuoted {
            isQuoted = scalar != "\""
        } else if depth > 0 {
            depth += scalar == "(" ? 1 : scalar == ")" ? -1 : 0
        } else if isInBrackets {
            isInBrackets = scalar != ">"
            if isInBrackets { bracketed?.append(scalar) }
        } else {
            takePlain(scalar)
        }
    }

    private mutating func takePlain(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": isQuoted = true
        case "(": depth = 1
        case "<":
            isInBrackets = true
            bracketed = String.UnicodeScalarView()
        case ",", ";": end()
        case ":": word = String.UnicodeScalarView()
        default: word.append(scalar)
        }
    }

    private mutating func end() {
        let plain = String(word).split { $0.isWhitespace }.first { $0.contains("@") }
        if let address = bracketed.map({ String($0) }) ?? plain.map({ String($0) }) {
            parts.append(address.trimmingCharacters(in: .whitespaces))
        }
        word = String.UnicodeScalarView()
        bracketed = nil
    }

    var ended: [String] {
        var reading = self
        reading.end()
        return reading.parts
    }
}
