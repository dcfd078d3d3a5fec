/// Splits a file into records, each a JSON text.
struct PlaceFileRecords: IteratorProtocol {
    /// One record.
    struct Record: Equatable {
        /// The line in which it starts, counted from 1.
        let line: Int
        /// The bytes of the record; nil if it is too long.
        let bytes: [UInt8]?
    }

    private enum Form {
        /// One record on each line.
        case lines
        /// Each record starts with a separator and may span several lines.
        case sequence
        /// The records are the elements of an array.
        case elements
    }

    private static let separator: UInt8 = 0x1E
    private static let newline = UInt8(ascii: "\n")

    private var bytes: PlaceFileBytes
    private let form: Form
    private var position: Int
    /// The line of the next record, counted from 1.
    private(set) var line = 1
    private var isDone = false

    init(_ bytes: PlaceFileBytes) {
        var scanner = JSONScanner(bytes)
        scanner.skipMark()
        let start = scanner.position
        scanner.skipSpace()
        if scanner.next == Self.separator {
            (form, position) = (.sequence, start)
        } else {
            (form, position) =
                scanner.enterList() ? (.elements, scanner.position) : (.lines, start)
        }
        self.bytes = scanner.bytes
        line += self.bytes.count(of: Self.newline, in: 0..<position)
    }

    /// True if the file became shorter while it was read.
    var isCutOff: Bool { bytes.isCutOff }

    mutating func next() -> Record? {
        switch form {
        case .lines: nextPiece(until: Self.newline)
        case .sequence: nextPiece(until: Self.separator)
        case .elements: nextElement()
        }
    }

    /// The bytes up to the next delimiter. Pieces of only white space are skipped.
    private mutating func nextPiece(until delimiter: UInt8) -> Record? {
        while position < bytes.count {
            let end = bytes.position(of: delimiter, from: position)
            guard end >= position else { break }
            let piece = position..<end
            let start = line
            position = end + 1
            line += delimiter == Self.newline ? 1 : bytes.count(of: Self.newline, in: piece)
            if let record = record(piece, line: start) { return record }
        }
        return nil
    }

    private mutating func nextElement() -> Record? {
        guard !isDone else { return nil }
        var scanner = JSONScanner(bytes, at: position)
        scanner.skipSpaceAndCommas()
        let start = scanner.position
        let isLast = scanner.next == UInt8(ascii: "]") || scanner.next == nil
        let isWhole = isLast || scanner.skipValue()
        let end = max(start, scanner.position)
        bytes = scanner.bytes
        line += bytes.count(of: Self.newline, in: position..<start)
        isDone = isLast || !isWhole
        // An array that ends with the file was cut off. Its last record reports that; if that
        // record is complete, an empty one is added to report it.
        if isLast { return start >= bytes.count ? Record(line: line, bytes: []) : nil }
        position = end
        let found = record(start..<end, line: line) ?? Record(line: line, bytes: [])
        line += bytes.count(of: Self.newline, in: start..<end)
        return found
    }

    /// The record in a range; nil if it is only white space.
    private mutating func record(_ range: Range<Int>, line: Int) -> Record? {
        guard range.count <= PlaceFile.recordBytesMax else { return Record(line: line, bytes: nil) }
        let piece = bytes.bytes(in: range)
        guard let first = piece.firstIndex(where: { $0 > 0x20 && $0 != Self.separator }) else {
            return nil
        }
        let linesBefore = piece[..<first].count { $0 == Self.newline }
        return Record(line: line + linesBefore, bytes: Array(piece[first...]))
    }
}

/// Skips JSON values without parsing them, so that a damaged value can be passed over.
struct JSONScanner {
    private(set) var bytes: PlaceFileBytes
    private(set) var position: Int

    init(_ bytes: PlaceFileBytes, at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    var next: UInt8? {
        mutating get { bytes[position] }
    }

    /// Skips the byte order mark that some editors write before UTF-8.
    mutating func skipMark() {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        guard bytes.count >= mark.count, bytes.bytes(in: 0..<mark.count) == mark else { return }
        position = mark.count
    }

    mutating func skipSpace() {
        while let next, next <= 0x20, next != 0x1E { position += 1 }
    }

    mutating func skipSpaceAndCommas() {
        while let next, next <= 0x20 || next == UInt8(ascii: ",") { position += 1 }
    }

    private static let features = Array(#""features""#.utf8)

    /// Enters the array of a file, or the features of a feature collection. Returns false if the
    /// file is neither; the position is then somewhere in the first value.
    mutating func enterList() -> Bool {
        skipSpace()
        if take("[") { return true }
        guard take("{") else { return false }
        while true {
            skipSpaceAndCommas()
            let start = position
            guard next == UInt8(ascii: "\"") else { return false }
            skipValue()
            let key = start..<max(start, position)
            let isFeatures =
                key.count == Self.features.count && bytes.bytes(in: key) == Self.features
            skipSpace()
            guard take(":") else { return false }
            skipSpace()
            if isFeatures { return take("[") }
            skipValue()
        }
    }

    /// Skips one value. Returns false, at the end of the bytes, if the value is incomplete.
    @discardableResult mutating func skipValue() -> Bool {
        var depth = 0
        repeat {
            switch next {
            case nil: return false
            case UInt8(ascii: "\""): skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                position += 1
            default: skipPlain(inside: depth > 0)
            }
        } while depth > 0
        return true
    }

    private mutating func skipPlain(inside: Bool) {
        position += 1
        let ends = Array((inside ? "\"{}[]" : ",\"{}[]").utf8)
        while let next, !ends.contains(next), inside || next > 0x20 { position += 1 }
    }

    private mutating func skipString() {
        position += 1
        while let next {
            position += next == UInt8(ascii: "\\") ? 2 : 1
            if next == UInt8(ascii: "\"") { break }
        }
        position = min(position, bytes.count)
    }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }
}
