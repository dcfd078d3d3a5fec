/// One reply of a server that keeps mail (RFC 3501, 7), with what it hands over octet by octet.
struct IMAPReply: Equatable {
    /// Its text; of each literal nothing but the length stands in it.
    let text: String
    /// Its literals, in their order.
    let literals: [[UInt8]]

    /// In octets.
    var size: Int { text.utf8.count + literals.reduce(0) { $0 + $1.count } }

    /// Whether it ends the command of this tag.
    func ends(_ tag: String) -> Bool { text.hasPrefix("\(tag) ") }

    /// Whether a command that it ends was carried out.
    var isGood: Bool { words.dropFirst().first?.uppercased() == "OK" }

    /// The beginning of what stands behind the tag and the status.
    var explanation: String {
        String(words.dropFirst(2).joined(separator: " ").prefix(Self.explanationMax))
    }

    /// In characters.
    private static let explanationMax = 300

    /// Whether a command that it ends was refused for a reason that may pass, not for what it asked
    /// (RFC 5530, 3).
    var mayPass: Bool {
        guard words.dropFirst().first?.uppercased() == "NO" else { return true }
        let codes = [
            "[UNAVAILABLE", "[INUSE", "[LIMIT", "[THROTTLED", "[OVERQUOTA", "[SERVERBUG",
            "[CONTACTADMIN",
        ]
        let code = words.dropFirst(2).first?.uppercased() ?? ""
        return codes.contains { code.hasPrefix($0) }
    }

    /// Whether the server takes its leave.
    var isFarewell: Bool { words.prefix(2).map { $0.uppercased() } == ["*", "BYE"] }

    private var words: [Substring] { text.split(separator: " ") }

    /// The number behind a word, such as `UID` in `* 1 FETCH (UID 12 RFC822.SIZE 3400)`.
    func number(behind word: String) -> Int64? {
        let tokens = text.split { " ()[]".contains($0) }
        return zip(tokens, tokens.dropFirst()).first { $0.0.uppercased() == word }
            .flatMap { Self.number($0.1) }
    }

    /// A number as servers give them (RFC 3501, 9): 32 bits, and none of them is negative.
    private static func number(_ text: Substring) -> Int64? { UInt32(text).map(Int64.init) }

    /// The numbers that a search found; `nil` where it is no answer to one.
    var found: [Int64]? {
        guard words.prefix(2).map({ $0.uppercased() }) == ["*", "SEARCH"] else { return nil }
        return words.dropFirst(2).compactMap(Self.number)
    }

    /// Whether it tells of a mail.
    var isFetched: Bool { words.dropFirst(2).first?.uppercased() == "FETCH" }
}

/// Makes replies out of what comes in, bit by bit.
struct IMAPReplies {
    /// More is no reply to what is asked here.
    private let octetsMax: Int
    private static let literalsMax = 100

    private var buffer: [UInt8] = []
    /// Where the line begins that is read, and up to where no end of it was found.
    private var start = 0
    private var looked = 0
    private var text: [UInt8] = []
    private var literals: [[UInt8]] = []
    /// How many octets of the reply are in ``text`` and ``literals``.
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
                    text: String(decoding: text + line, as: UTF8.self), literals: literals)
                move(to: end + 2)
                (text, literals, kept) = ([], [], 0)
                return reply
            }
            let begin = end + 2
            guard size <= octetsMax - kept - line.count, literals.count < Self.literalsMax else {
                throw .tooLarge(bytesMax: octetsMax)
            }
            guard buffer.count >= begin + size else {
                // The end of the line is known: it is found again at once.
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

    /// Where the line ends that begins at the start: at its CR.
    private mutating func lineEnd() -> Int? {
        while let feed = buffer[looked...].firstIndex(of: 0x0A) {
            if feed > start, buffer[feed - 1] == 0x0D { return feed - 1 }
            looked = feed + 1
        }
        looked = max(start, buffer.count)
        return nil
    }

    /// How many octets follow a line that ends with `{12}`.
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
