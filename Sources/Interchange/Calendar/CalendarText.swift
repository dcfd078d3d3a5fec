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

    /// A text of a program that may have escaped its commas and semicolons already, escaped once.
    static func escapedOnce(_ text: String) -> String {
        escaped(text.replacing("\\,", with: ",").replacing("\\;", with: ";"))
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
