/// Escapes text for HTML.
public enum HTMLText {
    /// Escapes the special characters of HTML. It works on scalars, so that a combining mark after
    /// a quote does not hide the quote. Marks that turn the direction of text are shown instead of
    /// obeyed.
    public static func escaped(_ text: String) -> String {
        // Most texts have no special characters.
        guard text.utf8.contains(where: { isSpecial($0) || $0 == IsolatedText.firstOctet }) else {
            return text
        }
        let text = IsolatedText.shown(text)
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
}
