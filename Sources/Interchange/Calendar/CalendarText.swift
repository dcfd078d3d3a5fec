import StreamSafe

/// The escapes of text (RFC 5545, 3.3.11) and of parameters (RFC 5545, 3.2; RFC 6868).
enum CalendarText {
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: isSpecial) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": result.unicodeScalars += ["\\", scalar]
            case "\n": result += "\\n"
            default: if !isControl(scalar) { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }

    /// A text of a program that may have escaped it already, escaped once. If each backslash
    /// begins an escape, the text was escaped as a whole; otherwise, and if it contains a path such
    /// as "C:\new", only its commas and semicolons may have been.
    static func escapedOnce(_ text: String) -> String {
        isEscaped(text)
            ? escaped(unescaped(text))
            : escaped(text.replacing("\\,", with: ",").replacing("\\;", with: ";"))
    }

    private static func isEscaped(_ text: String) -> Bool {
        guard !text.contains(":\\") else { return false }
        var isEscape = false
        for octet in text.utf8 {
            if isEscape, !"\\;,nN".utf8.contains(octet) { return false }
            isEscape = !isEscape && octet == .backslash
        }
        return !isEscape
    }

    static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(.backslash) else { return text }
        var result = ""
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                result.unicodeScalars.append(scalar == "n" || scalar == "N" ? "\n" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result.streamSafe
    }

    /// The value of a parameter, quoted if necessary. Characters that quotes cannot hold are
    /// escaped as in RFC 6868.
    static func parameter(_ text: String) -> String {
        guard text.utf8.contains(where: isSpecial) else { return text }
        var result = ""
        var needsQuotes = false
        for scalar in text.unicodeScalars {
            switch scalar {
            // Single scalars are compared, because together with a combining mark they would be
            // other characters.
            case ":", ";", ",":
                needsQuotes = true
                result.unicodeScalars.append(scalar)
            case "^": result += "^^"
            case "\"": result += "^'"
            case "\n": result += "^n"
            default: if !isControl(scalar) { result.unicodeScalars.append(scalar) }
            }
        }
        return needsQuotes ? "\"\(result)\"" : result
    }

    /// True for an octet that may need an escape, in a text or in a parameter; most texts have
    /// none.
    private static func isSpecial(_ octet: UInt8) -> Bool {
        switch octet {
        case 0..<0x20, 0x22, 0x2C, 0x3A, 0x3B, 0x5C, 0x5E, 0x7F: true
        default: false
        }
    }

    /// True for a control character that no property may contain (RFC 5545, 3.1); a tab is allowed.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F
    }
}
