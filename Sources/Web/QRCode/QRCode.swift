import Wording

/// A QR code of a text (ISO/IEC 18004:2015): byte mode, error correction level M, versions 1 to 20.
struct QRCode: Equatable, Sendable {
    /// The number of modules on a side, without the quiet zone.
    let size: Int
    /// The modules by row; true for dark ones.
    private(set) var modules: [Bool]

    /// Encodes a text.
    ///
    /// - Returns: `nil` if its UTF-8 has more than 666 bytes.
    init?(_ text: String) {
        guard let content = QRContent(Array(text.utf8)) else { return nil }
        let frame = QRFrame(version: content.version)
        let masked = (0..<8).map { mask in frame.filled(with: content.codewords, mask: mask) }
        guard let best = masked.min(by: { $0.penalty < $1.penalty }) else { return nil }
        self = best
    }

    init(size: Int, modules: [Bool]) {
        self.size = size
        self.modules = modules
    }

    /// The module in a row and a column.
    subscript(row: Int, column: Int) -> Bool {
        get { modules[row * size + column] }
        set { modules[row * size + column] = newValue }
    }

    /// The width of the quiet zone around it, in modules.
    private static let margin = 4

    /// The code as an SVG element, dark on white in every colour scheme, because many cameras read
    /// no inverted codes.
    func svg(label: String) -> String {
        let whole = size + 2 * Self.margin
        let rows = (0..<size).map { row in
            runs(row).map {
                "M\($0.lowerBound + Self.margin) \(row + Self.margin)h\($0.count)v1h-\($0.count)z"
            }
            .joined()
        }
        return """
            <svg class="qr" role="img" aria-label="\(HTMLText.escaped(label))" \
            viewBox="0 0 \(whole) \(whole)" shape-rendering="crispEdges">\
            <rect width="\(whole)" height="\(whole)" class="light"/>\
            <path class="dark" d="\(rows.joined())"/></svg>
            """
    }

    /// The ranges of dark modules in a row.
    private func runs(_ row: Int) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for column in 0..<size where self[row, column] {
            if runs.last?.upperBound == column {
                runs[runs.count - 1] = runs[runs.count - 1].lowerBound..<(column + 1)
            } else {
                runs.append(column..<(column + 1))
            }
        }
        return runs
    }
}

// MARK: The choice of a mask

extension QRCode {
    /// The points by which masks are compared (7.8.3): fewer are better.
    var penalty: Int {
        let rows = (0..<size).map { row in (0..<size).map { self[row, $0] } }
        let columns = (0..<size).map { column in (0..<size).map { self[$0, column] } }
        return (rows + columns).map(Self.linePenalty).reduce(0, +) + squares * 3 + imbalance * 10
    }

    /// Points for runs of 5 modules and more, and for what looks like a finder pattern.
    private static func linePenalty(_ line: [Bool]) -> Int {
        var points = 0
        var run = 0
        for (place, module) in line.enumerated() {
            run = place > 0 && line[place - 1] == module ? run + 1 : 1
            points += run == 5 ? 3 : run > 5 ? 1 : 0
        }
        let finder = [true, false, true, true, true, false, true]
        let light = [false, false, false, false]
        for pattern in [finder + light, light + finder] {
            let places = 0...(line.count - pattern.count)
            points += 40 * places.count { line[$0..<($0 + pattern.count)].elementsEqual(pattern) }
        }
        return points
    }

    /// The number of squares of 2 by 2 modules of one colour.
    private var squares: Int {
        (0..<(size - 1)).map { row in
            (0..<(size - 1)).count { column in
                let first = self[row, column]
                return self[row, column + 1] == first && self[row + 1, column] == first
                    && self[row + 1, column + 1] == first
            }
        }.reduce(0, +)
    }

    /// The distance of the dark part from a half, in steps of 5 %.
    private var imbalance: Int {
        let dark = modules.count { $0 }
        return abs(dark * 20 - modules.count * 10) / modules.count
    }
}
