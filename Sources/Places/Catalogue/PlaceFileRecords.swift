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

    private let bytes: PlaceFileBytes
    private let form: Form
    private var position: Int
    private var line = 1
    private var isDone = false
    /// The position up to which memory was given back.
    private var given = 0

    init(_ bytes: PlaceFileBytes) {
        self.bytes = bytes
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
        while position < bytes.buffer.count {
            let end = end(of: delimiter)
            let piece = position..<end
            let start = line
            position = end + 1
            line += delimiter == Self.newline ? 1 : newlines(in: piece)
            if let record = record(piece, line: start) { return record }
        }
        return nil
    }

    /// The position of the next delimiter, or of the end of the file.
    private mutating func end(of delimiter: UInt8) -> Int {
        var start = position
        while start < bytes.buffer.count {
            let part = start..<min(start + PlaceFileBytes.step, bytes.buffer.count)
            if let found = bytes.buffer[part].firstIndex(of: delimiter) { return found }
            start = part.upperBound
            giveBack(before: start)
        }
        return bytes.buffer.count
    }

    private mutating func giveBack(before end: Int) {
        guard end - given >= PlaceFileBytes.step else { return }
        bytes.giveBack(given..<end)
        given = end
    }

    private mutating func nextElement() -> Record? {
        guard !isDone else { return nil }
        giveBack(before: position)
        var scanner = JSONScanner(bytes, at: position)
        scanner.skipSpaceAndCommas()
        let start = scanner.position
        let isLast = scanner.next == UInt8(ascii: "]") || scanner.next == nil
        let isWhole = isLast || scanner.skipValue()
        let end = scanner.position
        line += newlines(in: position..<start)
        isDone = isLast || !isWhole
        // An array that ends with the file was cut off. Its last record reports that; if that
        // record is complete, an empty one is added to report it.
        if isLast { return start == bytes.buffer.count ? Record(line: line, bytes: []) : nil }
        defer { line += newlines(in: start..<end) }
        position = end
        return record(start..<end, line: line) ?? Record(line: line, bytes: [])
    }

    /// The record in a range; nil if it is only white space.
    private func record(_ range: Range<Int>, line: Int) -> Record? {
        guard range.count <= PlaceFile.recordBytesMax else { return Record(line: line, bytes: nil) }
        let piece = [UInt8](bytes.buffer[range])
        guard let first = piece.firstIndex(where: { $0 > 0x20 && $0 != Self.separator }) else {
            return nil
        }
        let linesBefore = piece[..<first].count { $0 == Self.newline }
        return Record(line: line + linesBefore, bytes: Array(piece[first...]))
    }

    private func newlines(in range: Range<Int>) -> Int {
        var count = 0
        for start in stride(from: range.lowerBound, to: range.upperBound, by: PlaceFileBytes.step) {
            let part = start..<min(start + PlaceFileBytes.step, range.upperBound)
            count += bytes.buffer[part].count { $0 == Self.newline }
            if part.count == PlaceFileBytes.step { bytes.giveBack(part) }
        }
        return count
    }
}

/// Skips JSON values without parsing them, so that a damaged value can be passed over.
struct JSONScanner {
    private let file: PlaceFileBytes
    private let bytes: UnsafeRawBufferPointer
    private(set) var position: Int {
        didSet { if position >= checkpoint { giveBack() } }
    }
    /// The position at which the memory of the bytes before it is given back.
    private var checkpoint: Int

    init(_ file: PlaceFileBytes, at position: Int = 0) {
        self.file = file
        bytes = file.buffer
        self.position = position
        checkpoint = position + PlaceFileBytes.step
    }

    private mutating func giveBack() {
        file.giveBack(checkpoint - PlaceFileBytes.step..<checkpoint)
        checkpoint = position + PlaceFileBytes.step
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
