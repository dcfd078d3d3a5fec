/// How calendar objects write text (RFC 5545, 3.3.11) and parameters (3.2, RFC 6868).
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
        return result
    }

    /// A parameter's value, in quotes where it has to be, with what quotes cannot hold written as
    /// RFC 6868 does.
    static func parameter(_ text: String) -> String {
        guard text.utf8.contains(where: isSpecial) else { return text }
        var result = ""
        var needsQuotes = false
        for scalar in text.unicodeScalars {
            switch scalar {
            // Looked at by themselves: with a mark they would be other characters.
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

    /// What may have to be written otherwise, in a text or in a parameter; most texts have none.
    private static func isSpecial(_ octet: UInt8) -> Bool {
        switch octet {
        case 0..<0x20, 0x22, 0x2C, 0x3A, 0x3B, 0x5C, 0x5E, 0x7F: true
        default: false
        }
    }

    /// What no property may hold (RFC 5545, 3.1); a tab it may.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F
    }
}
