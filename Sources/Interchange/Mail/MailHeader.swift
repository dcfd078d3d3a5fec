import StreamSafe

/// One field of a mail header, in pieces between which it may be folded (RFC 5322, 2.2.3).
struct MailHeader {
    let name: String
    /// The pieces, which contain no line breaks.
    let pieces: [String]

    /// The preferred length of a line in octets (RFC 5322, 2.1.1).
    private static let lineOctetsMax = 78

    /// A field that this program creates: ASCII with spaces where it may be folded.
    init(_ name: String, tokens: String) {
        self.name = name
        let isShort = name.utf8.count + 2 + tokens.utf8.count <= Self.lineOctetsMax
        pieces = isShort ? [tokens] : Self.words(of: tokens).filter { !$0.isEmpty }
    }

    /// A field with text that a person wrote.
    init(_ name: String, text: String) {
        self.name = name
        pieces = Self.pieces(of: text, behind: name.utf8.count + 1)
    }

    /// A field with mailboxes.
    init(_ name: String, _ mailboxes: [Mailbox]) {
        self.name = name
        var pieces: [String] = []
        for (number, mailbox) in mailboxes.enumerated() {
            let end = number == mailboxes.count - 1 ? "" : ","
            guard !mailbox.name.isEmpty else {
                pieces.append(mailbox.address + end)
                continue
            }
            pieces +=
                Self.phrase(mailbox.name, behind: name.utf8.count + 1) + [
                    "<\(mailbox.address)>" + end
                ]
        }
        self.pieces = pieces
    }

    /// Appends the field with its CRLF, folded where a line is too long.
    func append(to output: inout [UInt8]) {
        output += name.utf8
        output.append(.colon)
        var width = name.utf8.count + 1
        for piece in pieces {
            // The first piece always stays on the line of the name, because some readers lose it
            // otherwise.
            if width + 1 + piece.utf8.count > Self.lineOctetsMax, width > name.utf8.count + 1 {
                output += [.carriageReturn, .lineFeed]
                width = 0
            }
            output.append(.space)
            output += piece.utf8
            width += 1 + piece.utf8.count
        }
        output += [.carriageReturn, .lineFeed]
    }

    /// A name as a phrase: as plain words, quoted or encoded. Marks in it that would turn the text
    /// behind it, such as the address, are left out (Unicode Technical Report 36, 2.11).
    private static func phrase(_ name: String, behind taken: Int) -> [String] {
        let text = oneLine(name).withoutTurningMarks
        let words = words(of: text)
        let isShort = words.allSatisfy { $0.utf8.count + taken < lineOctetsMax }
        guard !(isShort && isPlain(text) && words.allSatisfy(isAtom)) else {
            return words
        }
        guard isPlain(text), text.utf8.count + taken + 10 < lineOctetsMax else {
            return EncodedWord.words(text, behind: taken)
        }
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return ["\"\(escaped)\""]
    }

    private static func isAtom(_ word: String) -> Bool {
        !word.isEmpty && word.utf8.allSatisfy(\.isAtomText)
    }

    private static func pieces(of text: String, behind taken: Int) -> [String] {
        let line = oneLine(text)
        let words = words(of: line)
        let isShort = words.allSatisfy { $0.utf8.count + taken < lineOctetsMax }
        guard isPlain(line), isShort, words == [""] || !words.contains("") else {
            return EncodedWord.words(line, behind: taken)
        }
        return words
    }

    /// The words between single spaces; repeated spaces give empty words.
    private static func words(of text: String) -> [String] {
        text.utf8.split(separator: .space, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
    }

    /// True if every reader shows the text unchanged: printable ASCII without encoded-words.
    private static func isPlain(_ text: String) -> Bool {
        let octets = text.utf8
        return octets.allSatisfy { (0x20...0x7E).contains($0) }
            && !zip(octets, octets.dropFirst()).contains { $0 == .equals && $1 == 0x3F }
    }

    /// The text with a space in place of each line break and control character (C0 and C1).
    static func oneLine(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.value {
                    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: " "
                    default: scalar
                    }
                }))
    }
}
