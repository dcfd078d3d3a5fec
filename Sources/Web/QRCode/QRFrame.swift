/// The parts of a QR code that do not depend on its text, and the way in which the rest is filled
/// (ISO/IEC 18004:2015, 6.3 and 7.7 to 7.10).
struct QRFrame {
    private let version: Int
    private var code: QRCode
    /// True for the modules that hold no codewords.
    private var taken: [Bool]

    init(version: Int) {
        self.version = version
        let size = version * 4 + 17
        code = QRCode(size: size, modules: [Bool](repeating: false, count: size * size))
        taken = [Bool](repeating: false, count: size * size)
        drawTiming()
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawFinder(row, column) }
        drawAlignment()
        drawFormat(mask: 0)
        drawVersion()
    }

    private var size: Int { code.size }

    private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return }
        code[row, column] = isDark
        taken[row * size + column] = true
    }

    // MARK: Patterns

    private mutating func drawTiming() {
        for place in 0..<size {
            set(6, place, place % 2 == 0)
            set(place, 6, place % 2 == 0)
        }
    }

    /// A finder pattern around its middle, with its separator.
    private mutating func drawFinder(_ row: Int, _ column: Int) {
        for down in -4...4 {
            for right in -4...4 {
                let ring = max(abs(down), abs(right))
                set(row + down, column + right, ring != 2 && ring != 4)
            }
        }
    }

    private mutating func drawAlignment() {
        let places = alignment
        let last = places.count - 1
        for (first, row) in places.enumerated() {
            for (second, column) in places.enumerated() {
                let isFinder = [(0, 0), (0, last), (last, 0)].contains { $0 == (first, second) }
                guard !isFinder else { continue }
                for down in -2...2 {
                    for right in -2...2 {
                        set(row + down, column + right, max(abs(down), abs(right)) != 1)
                    }
                }
            }
        }
    }

    /// The rows and columns of alignment patterns (annex E).
    private var alignment: [Int] {
        guard version > 1 else { return [] }
        let count = version / 7 + 2
        let step = (version * 8 + count * 3 + 5) / (count * 4 - 4) * 2
        return [6] + (0..<(count - 1)).reversed().map { size - 7 - $0 * step }
    }

    /// The level and the mask, twice, with their error correction (7.9).
    private mutating func drawFormat(mask: Int) {
        // Level M is 00.
        let data = mask
        let rest = (0..<10).reduce(data) { value, _ in value << 1 ^ (value >> 9) * 0x537 }
        let bits = (data << 10 | rest) ^ 0x5412
        func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
        let near = [0, 1, 2, 3, 4, 5, 7, 8]
        for (place, at) in near.enumerated() { set(at, 8, bit(place)) }
        for (place, at) in [7, 5, 4, 3, 2, 1, 0].enumerated() { set(8, at, bit(place + 8)) }
        for place in 0..<8 { set(8, size - 1 - place, bit(place)) }
        for place in 8..<15 { set(size - 15 + place, 8, bit(place)) }
        set(size - 8, 8, true)
    }

    /// The version, twice, with its error correction, in codes of version 7 and more (7.10).
    private mutating func drawVersion() {
        guard version >= 7 else { return }
        let rest = (0..<12).reduce(version) { value, _ in value << 1 ^ (value >> 11) * 0x1F25 }
        let bits = version << 12 | rest
        for place in 0..<18 {
            let isDark = bits >> place & 1 == 1
            set(size - 11 + place % 3, place / 3, isDark)
            set(place / 3, size - 11 + place % 3, isDark)
        }
    }

    // MARK: Codewords

    /// The code with these codewords under a mask from 0 to 7.
    func filled(with codewords: [UInt8], mask: Int) -> QRCode {
        var frame = self
        frame.drawFormat(mask: mask)
        var place = 0
        for (row, column) in path where !taken[row * size + column] {
            let word = place / 8
            let isDark = word < codewords.count && codewords[word] >> (7 - place % 8) & 1 == 1
            frame.code[row, column] = isDark != Self.isMasked(row, column, mask)
            place += 1
        }
        return frame.code
    }

    /// All modules in the order of placement: pairs of columns from the right, up and down in turn,
    /// without the column of the timing pattern.
    private var path: [(Int, Int)] {
        let rights = stride(from: size - 1, through: 1, by: -2).map { $0 <= 6 ? $0 - 1 : $0 }
        return rights.enumerated().flatMap { turn, right in
            let rows = turn % 2 == 0 ? Array((0..<size).reversed()) : Array(0..<size)
            return rows.flatMap { [($0, right), ($0, right - 1)] }
        }
    }

    private static func isMasked(_ row: Int, _ column: Int, _ mask: Int) -> Bool {
        switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: row * column % 2 + row * column % 3 == 0
        case 6: (row * column % 2 + row * column % 3) % 2 == 0
        default: ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }
}
