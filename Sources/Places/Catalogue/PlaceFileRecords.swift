import Foundation

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

    private let bytes: Data
    private let form: Form
    private var position: Int
    private var line = 1
    private var isDone = false

    init(_ bytes: Data) {
        self.bytes = bytes
        (form, position) = bytes.withUnsafeBytes { buffer in
            var scanner = JSONScanner(buffer)
            scanner.skipMark()
            let start = scanner.position
            scanner.skipSpace()
            if scanner.next == Self.separator { return (.sequence, start) }
            return scanner.enterList() ? (.elements, scanner.position) : (.lines, start)
        }
        line += newlines(in: 0..<position)
    }

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
            let end = bytes.withUnsafeBytes { buffer in
                buffer[position...].firstIndex(of: delimiter) ?? buffer.count
            }
            let piece = position..<end
            let start = line
            position = end + 1
            line += delimiter == Self.newline ? 1 : newlines(in: piece)
            if let record = record(piece, line: start) { return record }
        }
        return nil
    }

    private mutating func nextElement() -> Record? {
        guard !isDone else { return nil }
        let (start, end, isLast, isWhole) = bytes.withUnsafeBytes { buffer in
            var scanner = JSONScanner(buffer, at: position)
            scanner.skipSpaceAndCommas()
            let start = scanner.position
            let isLast = scanner.next == UInt8(ascii: "]") || scanner.next == nil
            let isWhole = isLast || scanner.skipValue()
            return (start, scanner.position, isLast, isWhole)
        }
        line += newlines(in: position..<start)
        isDone = isLast || !isWhole
        // An array that ends with the file was cut off. Its last record reports that; if that
        // record is complete, an empty one is added to report it.
        if isLast { return start == bytes.count ? Record(line: line, bytes: []) : nil }
        defer { line += newlines(in: start..<end) }
        position = end
        return record(start..<end, line: line) ?? Record(line: line, bytes: [])
    }

    /// The record in a range; nil if it is only white space.
    private func record(_ range: Range<Int>, line: Int) -> Record? {
        guard range.count <= PlaceFile.recordBytesMax else { return Record(line: line, bytes: nil) }
        let piece = bytes.withUnsafeBytes { [UInt8]($0[range]) }
        guard let first = piece.firstIndex(where: { $0 > 0x20 && $0 != Self.separator }) else {
            return nil
        }
        let linesBefore = piece[..<first].count { $0 == Self.newline }
        return Record(line: line + linesBefore, bytes: Array(piece[first...]))
    }

    private func newlines(in range: Range<Int>) -> Int {
        bytes.withUnsafeBytes { $0[range].count { $0 == Self.newline } }
    }
}

/// Skips JSON values without parsing them, so that a damaged value can be passed over.
struct JSONScanner {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position: Int

    init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Skips the byte order mark that some editors write before UTF-8.
    mutating func skipMark() {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    mutating func skipSpace() {
        while let next, next <= 0x20, next != 0x1E { position += 1 }
    }

    mutating func skipSpaceAndCommas() {
        while let next, next <= 0x20 || next == UInt8(ascii: ",") { position += 1 }
    }

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
            let isFeatures = bytes[start..<position].elementsEqual(#""features""#.utf8)
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
