/// The escapes of vCard values (RFC 2426, 4; RFC 6350, 3.4).
enum VCardText {
    /// `raw`, which is UTF-8, with its escapes resolved.
    ///
    /// A backslash before a letter other than n is kept, because it belongs to a path and is not an
    /// escape.
    static func unescaped(_ raw: ArraySlice<UInt8>) -> String {
        guard raw.contains(.backslash) else { return String(decoding: raw, as: UTF8.self) }
        var text: [UInt8] = []
        text.reserveCapacity(raw.count)
        var rest = raw
        while let byte = rest.popFirst() {
            guard byte == .backslash, let escaped = rest.first else {
                text.append(byte)
                continue
            }
            if escaped | 0x20 == UInt8(ascii: "n") {
                text.append(.lineFeed)
            } else if escaped.isASCIILetter || escaped.isASCIIDigit || escaped >= 0x80 {
                text.append(.backslash)
                continue
            } else {
                text.append(escaped)
            }
            rest = rest.dropFirst()
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The most parts of a value that are kept.
    static let partsMax = 1000

    /// The parts of `raw` between unescaped separators, at most ``partsMax``; the parts keep their
    /// escapes.
    static func split(_ raw: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = raw.startIndex
        var index = start
        while index < raw.endIndex {
            guard parts.count < partsMax else { return parts }
            if raw[index] == .backslash {
                index += 1
            } else if raw[index] == separator {
                parts.append(raw[start..<index])
                start = index + 1
            }
            index += 1
        }
        if parts.count < partsMax { parts.append(raw[start...]) }
        return parts
    }

    /// `text` with escapes for backslashes, semicolons, commas and line breaks.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: needsEscape) else { return text }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count + 8)
        for byte in text.utf8 {
            switch byte {
            case .lineFeed: escaped += [.backslash, UInt8(ascii: "n")]
            case .carriageReturn: continue
            default:
                if needsEscape(byte) { escaped.append(.backslash) }
                escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    /// `text` with escapes for backslashes alone, for values that are not lists; line breaks become
    /// spaces.
    static func escapedBackslashes(_ text: String) -> String {
        KeptText.line(text).split(separator: "\\", omittingEmptySubsequences: false)
            .joined(separator: "\\\\")
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case .backslash, .semicolon, .comma, .lineFeed, .carriageReturn: true
        default: false
        }
    }
}
