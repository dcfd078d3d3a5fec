import Foundation

/// The bytes of a file of places, of which one part at a time is in memory.
struct PlaceFileBytes: Sendable {
    /// The number of bytes; fewer than at first if the file became shorter.
    private(set) var count: Int
    /// True if the file became shorter, or could not be read to its end.
    private(set) var isCutOff = false
    private let file: RegularFile?
    /// The part in memory.
    private var part: [UInt8]
    /// The position of the first byte in memory.
    private var start = 0

    /// The number of bytes that are read at once.
    private static let step = 4 << 20

    /// The bytes of a file that is in memory.
    init(_ data: Data) {
        part = Array(data)
        count = part.count
        file = nil
    }

    /// The bytes of a regular file; `nil` for folders, pipes and devices, or if it cannot be read.
    init?(path: String) {
        guard let file = try? RegularFile(path: path) else { return nil }
        self.file = file
        count = file.size
        part = []
    }

    /// The byte at a position; `nil` at the end.
    subscript(position: Int) -> UInt8? {
        mutating get {
            guard position < count else { return nil }
            let place = position - start
            if place >= 0, place < part.count { return part[place] }
            load(from: position)
            return part.first
        }
    }

    /// The position of the next such byte from a position on, or of the end.
    mutating func position(of byte: UInt8, from first: Int) -> Int {
        var position = first
        while self[position] != nil {
            let found = part[(position - start)...].firstIndex(of: byte)
            if let found { return start + found }
            position = start + part.count
        }
        return count
    }

    /// The number of such bytes in a range.
    mutating func count(of byte: UInt8, in range: Range<Int>) -> Int {
        var (found, position) = (0, range.lowerBound)
        while position < range.upperBound, self[position] != nil {
            let end = min(range.upperBound, start + part.count)
            found += part[(position - start)..<(end - start)].count { $0 == byte }
            position = end
        }
        return found
    }

    /// The bytes of a range.
    mutating func bytes(in range: Range<Int>) -> [UInt8] {
        if range.lowerBound >= start, range.upperBound <= start + part.count {
            return Array(part[(range.lowerBound - start)..<(range.upperBound - start)])
        }
        guard let file else { return [] }
        let bytes = file.read(range.count, at: range.lowerBound)
        if bytes.count < range.count { end(at: range.lowerBound + bytes.count) }
        return bytes
    }

    /// Reads the part that begins at a position.
    private mutating func load(from position: Int) {
        guard let file else { return }
        let most = min(Self.step, count - position)
        part = file.read(most, at: position)
        start = position
        if part.count < most { end(at: position + part.count) }
    }

    private mutating func end(at position: Int) {
        count = position
        isCutOff = true
    }
}
