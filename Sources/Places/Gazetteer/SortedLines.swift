import Foundation

/// The bytes of a field of a ``Line``, or of one part of a field separated by bars.
typealias Field = Slice<UnsafeRawBufferPointer>

/// One line of a tab-separated file. It is valid only inside the closure that receives it.
struct Line {
    let bytes: Field

    /// The field with this index, counted from 0; empty if the line has fewer fields.
    subscript(index: Int) -> Field {
        var start = bytes.startIndex
        for _ in 0..<index {
            let tab = bytes.base.first(UInt8(ascii: "\t"), in: start..<bytes.endIndex)
            guard tab < bytes.endIndex else { return bytes.base[bytes.endIndex..<bytes.endIndex] }
            start = tab + 1
        }
        let end = bytes.base.first(UInt8(ascii: "\t"), in: start..<bytes.endIndex)
        return bytes.base[start..<end]
    }
}

/// A file of sorted lines, of which a search reads a few parts.
struct SortedLines: Sendable {
    private let file: RegularFile

    private static let newline = UInt8(ascii: "\n")
    /// The bytes that are read first before and behind a position; more if a line is longer.
    private static let reachFirst = 256
    /// The bytes of the first part that is read line by line. Each further part is larger.
    private static let partFirst = 4096
    /// The bytes of the largest part, unless a line is longer.
    private static let partMost = 1 << 17

    /// Opens a file.
    ///
    /// - Throws: ``GazetteerError/unreadable(path:reason:)``.
    init(path: String) throws(GazetteerError) {
        do throws(RegularFile.Unreadable) {
            file = try RegularFile(path: path)
        } catch {
            throw .unreadable(path: path, reason: error.reason)
        }
    }

    /// Calls `body` with each line from the first one for which `isBefore` is false, until `body`
    /// returns false or the file ends. `isBefore` must be true only for a prefix of the lines.
    func scan(from isBefore: (Line) -> Bool = { _ in false }, _ body: (Line) -> Bool) {
        var start = firstLine(notBefore: isBefore)
        var count = Self.partFirst
        while start < file.size {
            let part = file.read(min(count, file.size - start), at: start)
            let isLast = part.count < count || start + part.count == file.size
            let end = isLast ? part.count : part.lastIndex(of: Self.newline).map { $0 + 1 }
            if let end {
                guard end > 0, Self.takeLines(of: part[..<end], body) else { return }
                start += end
            }
            if end == nil || count < Self.partMost { count *= 2 }
        }
    }

    /// Calls `body` with each line of a part; returns false if `body` did.
    private static func takeLines(
        of part: ArraySlice<UInt8>, _ body: (Line) -> Bool
    ) -> Bool {
        part.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let end = bytes.first(newline, in: start..<bytes.count)
                guard body(Line(bytes: bytes[start..<end])) else { return false }
                start = end + 1
            }
            return true
        }
    }

    /// The offset of the first line for which `isBefore` is false, found by binary search.
    private func firstLine(notBefore isBefore: (Line) -> Bool) -> Int {
        var (low, high) = (0, file.size)
        while low < high {
            let (start, line) = line(around: low + (high - low) / 2, from: low)
            let isEarlier = line.withUnsafeBytes { isBefore(Line(bytes: $0[...])) }
            if isEarlier { low = start + line.count + 1 } else { high = start }
        }
        return low
    }

    /// The line around a position, with its offset.
    ///
    /// - Parameters:
    ///   - position: the position.
    ///   - low: the offset of an earlier line, or of this one.
    /// - Returns: the line.
    private func line(around position: Int, from low: Int) -> (start: Int, bytes: [UInt8]) {
        var reach = Self.reachFirst
        while true {
            let first = max(low, position - reach)
            let count = min(position + reach, file.size) - first
            let part = file.read(count, at: first)
            let middle = min(position - first, part.count)
            let before = part[..<middle].lastIndex(of: Self.newline)
            let behind = part[middle...].firstIndex(of: Self.newline)
            let isLast = part.count < count || first + count == file.size
            if before != nil || first == low, behind != nil || isLast {
                let start = before.map { $0 + 1 } ?? 0
                return (first + start, Array(part[start..<(behind ?? part.count)]))
            }
            reach *= 2
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The index of the first occurrence of the byte in the range, or the end of the range.
    fileprivate func first(_ byte: UInt8, in range: Range<Int>) -> Int {
        guard let base = baseAddress, !range.isEmpty,
            let found = memchr(base + range.lowerBound, Int32(byte), range.count)
        else { return range.upperBound }
        return UnsafeRawPointer(found) - base
    }
}

extension Field {
    var text: String { String(decoding: self, as: UTF8.self) }

    /// The digits as a number; 0 if there are none, if there is another character, or if the number
    /// is too large.
    var number: Int {
        var number = 0
        for digit in self {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit), number < .max / 20
            else { return 0 }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }

    /// The number in a text such as `-12.345`. This is several times faster than parsing a string.
    var decimal: Double {
        var value = 0.0
        var scale = 0.0
        for byte in self {
            switch byte {
            case UInt8(ascii: "."):
                scale = 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                value = value * 10 + Double(byte - UInt8(ascii: "0"))
                scale *= 10
            default:
                continue
            }
        }
        let magnitude = scale > 0 ? value / scale : value
        return first == UInt8(ascii: "-") ? -magnitude : magnitude
    }

    /// True if the key is one of the parts separated by bars.
    func lists(_ key: [UInt8]) -> Bool {
        split(separator: UInt8(ascii: "|")).contains { $0.elementsEqual(key) }
    }
}
