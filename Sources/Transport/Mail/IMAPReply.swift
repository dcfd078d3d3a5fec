import StreamSafe

/// One reply of an IMAP server (RFC 3501, 7), with its literals.
struct IMAPReply: Equatable {
    /// The text. For each literal it contains only the length.
    let text: String
    /// The literals, in order.
    let literals: [[UInt8]]

    /// The size in octets.
    var size: Int { text.utf8.count + literals.reduce(0) { $0 + $1.count } }

    /// True if the reply completes the command with this tag.
    func ends(_ tag: String) -> Bool { text.hasPrefix("\(tag) ") }

    /// True if the command that it completes succeeded.
    var isGood: Bool { words.dropFirst().first?.uppercased() == "OK" }

    /// The beginning of the text after the tag and the status.
    var explanation: String {
        String(words.dropFirst(2).joined(separator: " ").prefix(Self.explanationMax))
    }

    /// The maximum length of ``explanation``, in characters.
    private static let explanationMax = 300

    /// True if the command that it completes was refused for a reason that may be temporary, and
    /// not because of the command itself (RFC 5530, 3).
    var mayPass: Bool {
        guard isRefusal else { return true }
        let codes = [
            "[UNAVAILABLE", "[INUSE", "[LIMIT", "[THROTTLED", "[OVERQUOTA", "[SERVERBUG",
            "[CONTACTADMIN",
        ]
        let code = words.dropFirst(2).first?.uppercased() ?? ""
        return codes.contains { code.hasPrefix($0) }
    }

    private var isRefusal: Bool { words.dropFirst().first?.uppercased() == "NO" }

    /// The words with which the server says at a login that it is not available at present (RFC
    /// 3501, 7.1.5; RFC 5530, 3); `nil` for other replies.
    var absence: String? {
        isFarewell || isRefusal && (mayPass || namesAbsence) ? explanation : nil
    }

    /// True if the words name a temporary reason. Some servers send no code at a login: "NO Server
    /// Unavailable. 15". The same words about a single mail say that this mail is damaged.
    private var namesAbsence: Bool {
        explanation.lowercased().contains(
            /\b(unavailable|temporar(y|ily)|try again|too many|busy)\b/)
    }

    /// True if the server announces that it closes the connection.
    var isFarewell: Bool { words.prefix(2).map { $0.uppercased() } == ["*", "BYE"] }

    /// The first words, and the rest of the text as the last one.
    private var words: [Substring] {
        text.utf8.split(separator: UInt8(ascii: " "), maxSplits: Self.wordsMax).map(Substring.init)
    }

    /// The number of words that decide what a reply means.
    private static let wordsMax = 3

    /// The number after a word, such as `UID` in `* 1 FETCH (UID 12 RFC822.SIZE 3400)`.
    func number(behind word: String) -> Int64? {
        let tokens = text.split { " ()[]".contains($0) }
        return zip(tokens, tokens.dropFirst()).first { $0.0.uppercased() == word }
            .flatMap { Self.number($0.1) }
    }

    /// Parses a number of IMAP (RFC 3501, 9), which is unsigned and has 32 bits.
    private static func number(_ text: Substring) -> Int64? { UInt32(text).map(Int64.init) }

    /// The numbers that a search found; `nil` if this is not a reply to a search.
    var found: [Int64]? {
        guard words.prefix(2).map({ $0.uppercased() }) == ["*", "SEARCH"] else { return nil }
        // A large folder makes a reply of megabytes, so its words are read one by one.
        var numbers: [Int64] = []
        var rest = text.utf8.dropFirst("* SEARCH".utf8.count)
        while !rest.isEmpty {
            let word = rest.prefix { $0 != UInt8(ascii: " ") }
            if let number = Self.number(Substring(word)) { numbers.append(number) }
            rest = rest[word.endIndex...].dropFirst()
        }
        return numbers
    }

    /// True if the reply describes a mail.
    var isFetched: Bool { words.dropFirst(2).first?.uppercased() == "FETCH" }
}

/// Assembles replies from data that arrives in pieces.
struct IMAPReplies {
    /// The maximum size of a reply, in octets. No expected reply is larger.
    private let octetsMax: Int
    private static let literalsMax = 100

    private var buffer: [UInt8] = []
    /// The start of the current line, and the index up to which no line end was found.
    private var start = 0
    private var looked = 0
    private var text: [UInt8] = []
    private var literals: [[UInt8]] = []
    /// The number of octets of the current reply in ``text`` and ``literals``.
    private var kept = 0

    init(octetsMax: Int) {
        self.octetsMax = octetsMax
    }

    mutating func take(_ octets: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            looked -= start
            start = 0
        }
        buffer += octets
    }

    /// The next reply; `nil` where it is not complete yet.
    ///
    /// - Throws: ``TransportError/tooLarge(bytesMax:)``.
    mutating func next() throws(TransportError) -> IMAPReply? {
        while let end = lineEnd() {
            let line = buffer[start..<end]
            guard let size = Self.literalSize(of: line) else {
                let reply = IMAPReply(
                    text: String(decoding: text + line, as: UTF8.self).streamSafe,
                    literals: literals)
                move(to: end + 2)
                (text, literals, kept) = ([], [], 0)
                return reply
            }
            let begin = end + 2
            guard size <= octetsMax - kept - line.count, literals.count < Self.literalsMax else {
                throw .tooLarge(bytesMax: octetsMax)
            }
            guard buffer.count >= begin + size else {
                // The line end is known, so the next call finds it immediately.
                looked = end
                return nil
            }
            text += line
            literals.append(Array(buffer[begin..<begin + size]))
            kept += line.count + size
            move(to: begin + size)
        }
        guard buffer.count - start <= octetsMax else { throw .tooLarge(bytesMax: octetsMax) }
        return nil
    }

    private mutating func move(to place: Int) {
        start = place
        looked = place
    }

    /// The index of the CR that ends the current line; `nil` if the line is incomplete.
    private mutating func lineEnd() -> Int? {
        while let feed = buffer[looked...].firstIndex(of: 0x0A) {
            if feed > start, buffer[feed - 1] == 0x0D { return feed - 1 }
            looked = feed + 1
        }
        looked = max(start, buffer.count)
        return nil
    }

    /// The number of octets that follow a line ending in `{12}`; `nil` for other lines.
    private static func literalSize(of line: ArraySlice<UInt8>) -> Int? {
        guard line.last == UInt8(ascii: "}"),
            let open = line.lastIndex(of: UInt8(ascii: "{"))
        else { return nil }
        let digits = line[(open + 1)...].dropLast()
        guard (1...10).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 & 15) }
    }
}
