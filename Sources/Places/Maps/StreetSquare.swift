public import Storage

/// The square of a grid on the earth, 0.01 degrees high and wide.
public struct StreetSquare: Hashable, Sendable {
    /// The units of ``StreetWay/Point`` in a side.
    static let side = 1000
    /// The most squares that one way is kept in. A way that meets more, such as the outline of a
    /// large lake, is kept in those around the others.
    static let squaresMax = 4096

    /// Sides north of the equator.
    public let north: Int
    /// Sides east of Greenwich.
    public let east: Int

    /// The ways by square. A way is in each square that the rectangle around it meets.
    ///
    /// - Returns: the squares with the lines of their ways, packed.
    /// - Throws: ``Zlib/Failure``.
    public static func packed(_ ways: [StreetWay]) throws -> [MapSquare] {
        var squares: [StreetSquare: [String]] = [:]
        for way in ways {
            for square in StreetBox(around: way.points).squares.prefix(squaresMax) {
                squares[square, default: []].append(way.line)
            }
        }
        return try squares.sorted { ($0.key.north, $0.key.east) < ($1.key.north, $1.key.east) }
            .map { square, lines in
                MapSquare(
                    north: square.north, east: square.east,
                    ways: try Zlib.packed(lines.joined(separator: "\n").utf8))
            }
    }

    /// The ways of packed squares, each once.
    ///
    /// - Throws: ``Zlib/Failure`` if a square is damaged.
    public static func ways(of squares: [MapSquare]) throws -> [StreetWay] {
        var seen: Set<Substring> = []
        var ways: [StreetWay] = []
        for square in squares {
            let text = String(decoding: try Zlib.unpacked(square.ways), as: UTF8.self)
            for line in text.split(separator: "\n") where seen.insert(line).inserted {
                if let way = StreetWay(line) { ways.append(way) }
            }
        }
        return ways
    }
}

extension StreetBox {
    /// The squares of the grid that it meets, by row.
    var squares: some Sequence<StreetSquare> {
        let (rows, columns) = grid
        return rows.lazy.flatMap { north in
            columns.lazy.map { StreetSquare(north: north, east: $0) }
        }
    }

    /// The rows and columns of the grid that it meets.
    public var grid: (north: ClosedRange<Int>, east: ClosedRange<Int>) {
        (
            Self.square(south)...Self.square(north),
            Self.square(west)...Self.square(east)
        )
    }

    private static func square(_ units: Int) -> Int {
        Int((Double(units) / Double(StreetSquare.side)).rounded(.down))
    }
}
