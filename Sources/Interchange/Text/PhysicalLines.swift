/// One line of a file: its number, counted from 1, and the range of its bytes without the line end.
struct PhysicalLine: Equatable {
    var number: Int
    var range: Range<Int>
}

/// The lines of a file, one after the other, with a look at the next one.
///
/// A line ends with CRLF, LF or CR. CR CR LF, written by programs that convert LF to CRLF twice, is
/// one line end; as two it would break folded lines.
struct PhysicalLines {
    let bytes: [UInt8]
    /// The line that ``next()`` will return.
    private(set) var upcoming: PhysicalLine?
    private var position = 0
    private var number = 0

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
        number += 1
        upcoming = PhysicalLine(number: number, range: start..<end)
        position = end + lineEndLength(at: end)
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
