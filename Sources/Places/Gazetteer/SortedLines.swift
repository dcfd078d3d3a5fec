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

/// A file of sorted lines, searched in its mapped bytes.
struct SortedLines: Sendable {
    private let data: Data

    /// Maps a file.
    ///
    /// - Throws: ``GazetteerError/unreadable(path:reason:)``.
    init(path: String) throws(GazetteerError) {
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        } catch {
            throw .unreadable(path: path, reason: error.localizedDescription)
        }
    }

    /// Calls `body` with each line from the first one for which `isBefore` is false, until `body`
    /// returns false or the file ends. `isBefore` must be true only for a prefix of the lines.
    func scan(from isBefore: (Line) -> Bool = { _ in false }, _ body: (Line) -> Bool) {
        data.withUnsafeBytes { bytes in
            var start = Self.firstLine(of: bytes, notBefore: isBefore)
            while start < bytes.count {
                let end = bytes.first(UInt8(ascii: "\n"), in: start..<bytes.count)
                guard body(Line(bytes: bytes[start..<end])) else { return }
                start = end + 1
            }
        }
    }

    /// The offset of the first line for which `isBefore` is false, found by binary search.
    private static func firstLine(
        of bytes: UnsafeRawBufferPointer, notBefore isBefore: (Line) -> Bool
    ) -> Int {
        var low = 0
        var high = bytes.count
        while low < high {
            var start = low + (high - low) / 2
            while start > low && bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
            let end = bytes.first(UInt8(ascii: "\n"), in: start..<bytes.count)
            if isBefore(Line(bytes: bytes[start..<end])) { low = end + 1 } else { high = start }
        }
        return low
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
