/// Finds keys that are spelled nearly like what somebody typed.
///
/// The distance counts bytes of UTF-8 that are added, lost, changed or swapped with their
/// neighbour, so a wrong letter of another script counts twice.
struct Spelling {
    private let typed: [UInt8]
    /// The greatest distance at which a key is still near: 1 for short words, else 2.
    let distanceMax: Int
    private var beforeLast: [Int]
    private var last: [Int]
    private var current: [Int]

    init(of key: String) {
        typed = Array(key.utf8)
        distanceMax = typed.count <= 4 ? 1 : 2
        last = Array(repeating: 0, count: typed.count + 1)
        beforeLast = last
        current = last
    }

    /// The distance to the key; nil beyond ``distanceMax``.
    mutating func distance(to key: some Collection<UInt8>) -> Int? {
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

    /// One row of the table of distances between prefixes (optimal string alignment).
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
