import Foundation

/// The text of a part in HTML, for mails that have no other text.
enum HTMLText {
    /// The text without tags, with a line for each block. Quoted mails are left out.
    static func plain(_ html: String) -> String {
        let text = html.prefix(charactersMax)
            .replacing(
                /<(style|script|head|title)\b.*?<\/\1\s*>/.ignoresCase().dotMatchesNewlines()
            ) {
                _ in ""
            }
            .replacing(/\s+/, with: " ")
            .replacing(
                /<blockquote\b|<div[^>]*(gmail_quote|divRplyFwdMsg|appendonsend)/.ignoresCase()
            ) {
                "\n-----\n\($0.output.0)"
            }
            .replacing(/<(br|\/p|\/div|\/tr|\/li|\/h[1-6]|hr)\b[^>]*>/.ignoresCase()) { _ in "\n" }
            .replacing(/<[^>]*>/, with: "")
        return decoded(String(text)).split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    private static let charactersMax = 200_000

    /// The text with the usual character references decoded.
    private static func decoded(_ text: String) -> String {
        text.replacing(/&(#x?[0-9A-Fa-f]{1,6}|[a-z]{2,6});/) { match in
            let name = match.output.1
            guard name.first == "#" else { return names[String(name)] ?? String(match.output.0) }
            let isHexadecimal = name.dropFirst().first == "x"
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
                .map { String($0) } ?? ""
        }
    }

    private static let names = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ",
    ]
}
