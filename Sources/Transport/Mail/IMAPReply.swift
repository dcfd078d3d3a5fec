/// One reply of a server that keeps mail (RFC 3501, 7), with what it hands over octet by octet.
struct IMAPReply: Equatable {
    /// Its text; of each literal nothing but the length stands in it.
    let text: String
    /// Its literals, in their order.
    let literals: [[UInt8]]

    /// Whether it ends the command of this tag.
    func ends(_ tag: String) -> Bool { text.hasPrefix("\(tag) ") }

    /// Whether a command that it ends was carried out.
    var isGood: Bool { words.dropFirst().first?.uppercased() == "OK" }

    /// What stands behind the tag and the status.
    var explanation: String { words.dropFirst(2).joined(separator: " ") }

    private var words: [Substring] { text.split(separator: " ") }

    /// The number behind a word, such as `UID` in `* 1 FETCH (UID 12 RFC822.SIZE 3400)`.
    func number(behind word: String) -> Int64? {
        let tokens = text.split { " ()[]".contains($0) }
        return zip(tokens, tokens.dropFirst()).first { $0.0.uppercased() == word }
            .flatMap { Int64($0.1) }
    }

    /// The numbers that a search found; `nil` where it is no answer to one.
    var found: [Int64]? {
        guard words.prefix(2).map({ $0.uppercased() }) == ["*", "SEARCH"] else { return nil }
        return words.dropFirst(2).compactMap { Int64($0) }
    }

    /// Whether it tells of a mail.
    var isFetched: Bool { words.dropFirst(2).first?.uppercased() == "FETCH" }
}

/// Makes replies out of what comes in, bit by bit.
struct IMAPReplies {
    /// More is no reply to what is asked here.
    private let octetsMax: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var text: [UInt8] = []
    private var literals: [[UInt8]] = []

    init(octetsMax: Int) {
        self.octetsMax = octetsMax
    }

    mutating func take(_ octets: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
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
                start = end + 2
                (text, literals) = ([], [])
                return reply
            }
            let begin = end + 2
            let kept = text.count + literals.reduce(0) { $0 + $1.count }
            guard size <= octetsMax - kept else { throw .tooLarge(bytesMax: octetsMax) }
            guard buffer.count >= begin + size else { return nil }
            text += line
            literals.append(Array(buffer[begin..<begin + size]))
            start = begin + size
        }
        guard buffer.count - start <= octetsMax else { throw .tooLarge(bytesMax: octetsMax) }
        return nil
    }

    /// Where the line ends that begins at the start: at its CR.
    private func lineEnd() -> Int? {
        var index = start
        while let feed = buffer[index...].firstIndex(of: 0x0A) {
            if feed > start, buffer[feed - 1] == 0x0D { return feed - 1 }
            index = feed + 1
        }
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
