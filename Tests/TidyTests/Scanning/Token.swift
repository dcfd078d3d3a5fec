/// A word or a single symbol of code.
struct Token: Equatable, Sendable {
    let text: String
    /// The position of its first byte.
    let start: Int
    /// The line, counted from 1.
    let line: Int
    let isWord: Bool

    var end: Int { start + text.utf8.count }

    /// Splits blanked code into words and symbols.
    static func all(in code: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var line = 1
        var index = 0
        while index < code.count {
            let byte = code[index]
            if byte == UInt8(ascii: "\n") {
                line += 1
                index += 1
            } else if isWordByte(byte) {
                let start = index
                while index < code.count, isWordByte(code[index]) { index += 1 }
                let text = String(decoding: code[start..<index], as: UTF8.self)
                tokens.append(Token(text: text, start: start, line: line, isWord: true))
            } else {
                if byte != UInt8(ascii: " ") {
                    let text = String(UnicodeScalar(byte))
                    tokens.append(Token(text: text, start: index, line: line, isWord: false))
                }
                index += 1
            }
        }
        return tokens
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
            true
        default: false
        }
    }
}
