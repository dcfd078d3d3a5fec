/// One line of a file: its number, counted from 1, and the range of its bytes without the line end.
struct PhysicalLine: Equatable {
    var number: Int
    var range: Range<Int>
}

/// The lines of a file, one after the other, with a look at the next one.
///
/// A line ends with CRLF, LF or CR. CR CR LF, written by programs that convert LF to CRLF twice, is
/// one line end; as two it would break folded lines. Between `END:VCARD` and a `BEGIN:VCARD` behind
/// it, a line end is missing: some programs write none after a card, and `cat` joins their files.
struct PhysicalLines {
    let bytes: [UInt8]
    /// The line that ``next()`` will return.
    private(set) var upcoming: PhysicalLine?
    private var position = 0
    private var number = 0
    /// True if the last line had no line end.
    private var isMiddle = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        advance()
    }

    mutating func next() -> PhysicalLine? {
        defer { advance() }
        return upcoming
    }

    private mutating func advance() {
        guard position < bytes.count else {
            upcoming = nil
            return
        }
        var start = position
        var end = position
        while end < bytes.count, bytes[end] != .lineFeed, bytes[end] != .carriageReturn {
            end += 1
        }
        // Files joined by `cat` may have byte order marks in the middle.
        if bytes[start] == 0xEF, bytes[start..<end].starts(with: [0xEF, 0xBB, 0xBF]) { start += 3 }
        if !isMiddle { number += 1 }
        let next = ComponentBoundary.begin(behindEndIn: bytes[start..<end])
        upcoming = PhysicalLine(number: number, range: start..<(next ?? end))
        position = next ?? (end + lineEndLength(at: end))
        isMiddle = next != nil
    }

    private func lineEndLength(at index: Int) -> Int {
        guard index < bytes.count else { return 0 }
        guard bytes[index] == .carriageReturn else { return 1 }
        if byte(at: index + 1) == .lineFeed { return 2 }
        let isDoubled = byte(at: index + 1) == .carriageReturn && byte(at: index + 2) == .lineFeed
        return isDoubled ? 3 : 1
    }

    private func byte(at index: Int) -> UInt8? {
        index < bytes.count ? bytes[index] : nil
    }
}

/// The lines that begin and end a component of a card or calendar.
enum ComponentBoundary {
    private static let begin = Array("BEGIN:".utf8)

    /// The position of a `BEGIN:` on the same line as an `END:`; `nil` if there is none.
    static func begin(behindEndIn line: ArraySlice<UInt8>) -> Int? {
        guard line.first.map({ $0 | 0x20 }) == UInt8(ascii: "e"), line.prefix(4).isASCII("END:")
        else { return nil }
        var rest = line.dropFirst(4)
        while rest.count > begin.count {
            if rest.prefix(begin.count).isASCII("BEGIN:") { return rest.startIndex }
            guard !rest.prefix(1).contains(.colon) else { return nil }
            rest = rest.dropFirst()
        }
        return nil
    }
}
