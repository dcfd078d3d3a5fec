import Foundation

/// One property of a card, such as `item1.TEL;TYPE=home:...`, parsed but not decoded.
struct VCardProperty {
    /// A parameter with one value; `TYPE=a,b` is two of them.
    struct Parameter: Equatable {
        /// The name in capitals. Bare parameters of vCard 2.1 get the name that they leave out.
        var name: String
        /// The value without quotes and RFC 6868 escapes.
        var value: String
    }

    /// The line on which it begins, counted from 1.
    var line: Int
    /// The group before the dot, in lower case because case does not matter; empty if there is
    /// none.
    var group = ""
    /// The name in capitals.
    var name = ""
    var parameters: [Parameter] = []
    /// The part before the colon.
    var head: ArraySlice<UInt8>
    /// The part after the colon, still encoded.
    var value: ArraySlice<UInt8>
    /// True if there is a parameter without a name, which only vCard 2.1 allows.
    private(set) var hasBareParameter = false
    /// True if a parameter begins with a quotation mark that is never closed.
    private(set) var hasOpenQuote = false

    /// Parses a line; `nil` if there is no colon, or if the text before it is not a name.
    init?(_ line: LogicalLine) {
        self.line = line.number
        let bytes = line.bytes
        guard let nameEnd = bytes.firstIndex(where: { $0 == .colon || $0 == .semicolon }) else {
            return nil
        }
        head = bytes[..<nameEnd]
        value = bytes[nameEnd...]
        guard takeName(bytes[..<nameEnd].trimmedOfBlanks) else { return nil }
        var index = nameEnd
        while index < bytes.endIndex, bytes[index] == .semicolon {
            index = takeParameter(bytes, from: index + 1)
        }
        guard index < bytes.endIndex else { return nil }
        head = bytes[..<index]
        value = bytes[(index + 1)...]
    }

    private mutating func takeName(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count <= Self.nameOctetsMax else { return false }
        var name = bytes
        if let dot = bytes.lastIndex(of: UInt8(ascii: ".")) {
            group = String(decoding: bytes[..<dot], as: UTF8.self).lowercased()
            name = bytes[(dot + 1)...]
            guard !group.isEmpty else { return false }
        }
        guard !name.isEmpty, bytes.allSatisfy(VCardProperty.isNameByte) else { return false }
        self.name = VCardProperty.capitals(name)
        return true
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
    }

    private static func capitals(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        return bytes.allSatisfy { $0 == $0.asciiUppercased } ? text : text.uppercased()
    }
}

extension VCardProperty {
    /// Parses the parameter that begins at `start`, and returns the position of the `;` or `:`
    /// after it.
    private mutating func takeParameter(_ bytes: ArraySlice<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.endIndex, !VCardProperty.endsParameterName(bytes[index]) { index += 1 }
        let name = VCardProperty.capitals(bytes[start..<index].trimmedOfBlanks)
        guard index < bytes.endIndex, bytes[index] == .equals else {
            if !name.isEmpty { takeBareParameter(name) }
            return index
        }
        repeat {
            let valueStart = index + 1
            index = parameterValueEnd(bytes, from: valueStart)
            let value = VCardProperty.parameterValue(bytes[valueStart..<index])
            append(Parameter(name: name, value: value))
        } while index < bytes.endIndex && bytes[index] == .comma
        return index
    }

    private mutating func takeBareParameter(_ text: String) {
        hasBareParameter = true
        let name =
            switch text {
            case "QUOTED-PRINTABLE", "BASE64", "B", "7BIT", "8BIT": "ENCODING"
            case "INLINE", "URL", "CID", "CONTENT-ID": "VALUE"
            default: "TYPE"
            }
        append(Parameter(name: name, value: text))
    }

    /// The most parameters that are kept, and the longest name of a property, in octets.
    private static let (parametersMax, nameOctetsMax) = (1001, 255)

    private mutating func append(_ parameter: Parameter) {
        if parameters.count < Self.parametersMax { parameters.append(parameter) }
    }

    private static func endsParameterName(_ byte: UInt8) -> Bool {
        byte == .equals || byte == .semicolon || byte == .colon
    }

    private mutating func parameterValueEnd(_ bytes: ArraySlice<UInt8>, from start: Int) -> Int {
        var index = start
        // A quotation mark that is never closed is read as an ordinary character, because it would
        // hide the colon.
        if index < bytes.endIndex, bytes[index] == .quote {
            let close = bytes[(index + 1)...].firstIndex(of: .quote)
            hasOpenQuote = hasOpenQuote || close == nil
            index = close.map { $0 + 1 } ?? index
        }
        while index < bytes.endIndex, bytes[index] != .comma, bytes[index] != .semicolon,
            bytes[index] != .colon
        {
            index += 1
        }
        return index
    }

    private static func parameterValue(_ raw: ArraySlice<UInt8>) -> String {
        var bytes = raw.trimmedOfBlanks
        if bytes.count >= 2, bytes.first == .quote, bytes.last == .quote {
            bytes = bytes.dropFirst().dropLast()
        }
        return KeptText.block(
            ParameterEscapes.decoded(DecodedText(bytes, charset: nil).text))
    }
}

extension VCardProperty {
    /// The first value of the parameter `name`, which must be in capitals.
    func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// The values of TYPE, in lower case. A quoted list is split, as its author intended, also if
    /// its commas are escaped.
    var types: [String] {
        var types: [String] = []
        for parameter in parameters where parameter.name == "TYPE" {
            let value = parameter.value.lowercased().filter { $0 != "\\" }
            for type in value.utf8.split(separator: .comma, maxSplits: Self.parametersMax) {
                types.append(KeptText.line(String(type) ?? value))
            }
        }
        return types
    }

    /// The transfer encoding of the value, in capitals: `QUOTED-PRINTABLE`, `BASE64` or `B`.
    var encoding: String? {
        let name = parameter("ENCODING")?.uppercased()
        // Some programs shorten the name.
        return name.map { ["QUOTED", "QP", "Q"].contains($0) ? "QUOTED-PRINTABLE" : $0 }
    }

    var isBase64: Bool { encoding == "BASE64" || encoding == "B" }

    /// The properties that are text, whatever their encoding.
    private static let texts: Set = ["FN", "N", "NICKNAME", "ORG", "TITLE", "NOTE", "ADR", "LABEL"]

    /// The value as text, with its escapes.
    ///
    /// - Parameter usual: the name of the encoding of a value that states none; `nil` for UTF-8.
    /// - Returns: the text in UTF-8.
    func decodedValue(unlessStated usual: String? = nil) -> DecodedText {
        let charset = parameter("CHARSET") ?? usual
        let octets =
            switch encoding {
            case "QUOTED-PRINTABLE": QuotedPrintable.decoded(value)[...]
            // Some telephones encode names so.
            case "BASE64" where Self.texts.contains(name), "B" where Self.texts.contains(name):
                Data(base64Encoded: Data(value)).map { Array($0)[...] } ?? value
            default: value
            }
        return DecodedText(checking: octets, charsetNamed: charset)
    }
}

/// The escapes of parameter values (RFC 6868).
enum ParameterEscapes {
    static func decoded(_ text: String) -> String {
        guard text.utf8.contains(.caret) else { return text }
        var decoded = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            switch (character, rest.first) {
            case ("^", "n"): decoded.append("\n")
            case ("^", "'"): decoded.append("\"")
            case ("^", "^"): decoded.append("^")
            default:
                decoded.append(character)
                continue
            }
            rest.removeFirst()
        }
        return decoded
    }

    /// `text` as a parameter value, in quotes if it needs them.
    static func encoded(_ text: String) -> String {
        var encoded = ""
        var needsQuotes = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": encoded += "^n"
            case "\"": encoded += "^'"
            case "^": encoded += "^^"
            case "\u{0}"..."\u{1F}", "\u{7F}": continue
            default:
                if scalar == "," || scalar == ";" || scalar == ":" { needsQuotes = true }
                encoded.unicodeScalars.append(scalar)
            }
        }
        return needsQuotes ? "\"\(encoded)\"" : encoded
    }
}
