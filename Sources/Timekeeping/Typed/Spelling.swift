/// Finds names that are spelled almost like a typed text: time zones in this module, cities and
/// interests in the modules above it.
///
/// ```swift
/// var spelling = Spelling(of: "helsnki")
/// spelling.distance(to: Array("helsinki".utf8)) == 1
/// ```
///
/// The distance counts UTF-8 bytes that are added, missing, changed or swapped with their neighbor,
/// so a wrong letter of a non-Latin script counts twice.
public struct Spelling {
    private let typed: [UInt8]
    /// The maximum distance of a similar name.
    public let distanceMax: Int
    private var beforeLast: [Int]
    private var last: [Int]
    private var current: [Int]

    /// Compares names with a typed text. A name is similar if it differs by at most 1 in texts of
    /// up to 4 bytes, and by at most 2 in longer ones.
    public init(of text: String) {
        let typed = Array(text.utf8)
        self.init(of: typed, distanceMax: typed.count <= 4 ? 1 : 2)
    }

    /// Compares names with a typed text. A name is similar if it differs by at most `distanceMax`.
    public init(of typed: [UInt8], distanceMax: Int) {
        self.typed = typed
        self.distanceMax = distanceMax
        last = Array(repeating: 0, count: typed.count + 1)
        beforeLast = last
        current = last
    }

    /// The distance to a name in UTF-8; nil if it is greater than ``distanceMax``.
    public mutating func distance(to key: some Collection<UInt8>) -> Int? {
        guard abs(key.count - typed.count) <= distanceMax else { return nil }
        for index in last.indices { last[index] = index }
        var previous: UInt8?
        for (row, byte) in key.enumerated() {
            fillRow(row + 1, byte: byte, after: previous)
            guard let least = current.min(), least <= distanceMax else { return nil }
            previous = byte
            swap(&beforeLast, &last)
            swap(&last, &current)
        }
        return last[typed.count] <= distanceMax ? last[typed.count] : nil
    }

    /// Fills one row of the table of distances between prefixes (optimal string alignment).
    private mutating func fillRow(_ row: Int, byte: UInt8, after previous: UInt8?) {
        current[0] = row
        for (column, letter) in typed.enumerated() {
            let changed = last[column] + (letter == byte ? 0 : 1)
            var least = min(changed, last[column + 1] + 1, current[column] + 1)
            if column > 0, let previous, letter == previous, typed[column - 1] == byte {
                least = min(least, beforeLast[column - 1] + 1)
            }
            current[column + 1] = least
        }
    }
}
