/// How calendar objects write text (RFC 5545, 3.3.11) and parameters (3.2, RFC 6868).
enum CalendarText {
    static func escaped(_ text: String) -> String {
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

    /// What no property may hold (RFC 5545, 3.1); a tab it may.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F
    }
}
