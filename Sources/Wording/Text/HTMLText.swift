/// Text that HTML shows as it is.
public enum HTMLText {
    /// Replaces what means something in HTML, scalar by scalar: a mark that is combined with a
    /// quote does not hide it.
    public static func escaped(_ text: String) -> String {
        // Most texts hold nothing of the kind.
        guard text.utf8.contains(where: isSpecial) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isSpecial(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x22, 0x26, 0x27, 0x3C, 0x3E: true
        default: false
        }
    }

    /// The words of a template, escaped wherever they are text.
    static func escaped(_ words: [String: Any]) -> [String: Any] {
        words.mapValues { value in
            switch value {
            case let text as String: escaped(text)
            case let rows as [[String: String]]: rows.map { $0.mapValues(escaped) }
            default: value
            }
        }
    }
}
