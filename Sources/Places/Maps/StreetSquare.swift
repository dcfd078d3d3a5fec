public import Storage

/// The square of a grid on the earth, 0.01 degrees high and wide.
public struct StreetSquare: Hashable, Sendable {
    /// The units of ``StreetWay/Point`` in a side.
    static let side = 1000
    /// A way in more squares than this is kept once for the whole map, because the outline of a
    /// lake or a forest is long.
    static let squaresMax = 16

    /// Sides north of the equator.
    public let row: Int
    /// Sides east of Greenwich.
    public let column: Int

    /// Packs the ways of a region by square. A way is in each square of the region that the
    /// rectangle around it meets.
    ///
    /// - Throws: ``Zlib/Failure`` if one square holds too much.
    public static func packed(
        _ ways: [StreetWay], of region: StreetBox
    ) throws(Zlib.Failure) -> PackedMap {
        var squares: [StreetSquare: [String]] = [:]
        var wide: [String] = []
        for way in ways {
            guard let part = StreetBox(around: way.points).common(with: region) else { continue }
            let met = part.squares
            guard met.count <= squaresMax else {
                wide.append(way.line)
                continue
            }
            for square in met { squares[square, default: []].append(way.line) }
        }
        var packed: [PackedMap.Square] = []
        for (square, lines) in squares {
            packed.append(
                PackedMap.Square(
                    row: square.row, column: square.column, ways: try self.packed(lines)))
        }
        return PackedMap(
            part: region.grid,
            squares: packed.sorted { ($0.row, $0.column) < ($1.row, $1.column) },
            wide: try self.packed(wide))
    }

    private static func packed(_ lines: [String]) throws(Zlib.Failure) -> [UInt8] {
        try Zlib.packed(lines.joined(separator: "\n").utf8)
    }

    /// The ways of packed parts, each once.
    ///
    /// - Throws: ``Zlib/Failure`` if a part is damaged.
    public static func ways(of packs: [[UInt8]]) throws(Zlib.Failure) -> [StreetWay] {
        var seen: Set<Substring> = []
        var ways: [StreetWay] = []
        for pack in packs {
            let text = String(decoding: try Zlib.unpacked(pack), as: UTF8.self)
            for line in text.split(separator: "\n") where seen.insert(line).inserted {
                if let way = StreetWay(line) { ways.append(way) }
            }
        }
        return ways
    }
}

extension StreetBox {
    /// The squares of the grid that it meets, by row.
    fileprivate var squares: [StreetSquare] {
        let grid = grid
        // A region is at most some dozen kilometres wide, so this cannot become long.
        return grid.rows.flatMap { row in
            grid.columns.map { StreetSquare(row: row, column: $0) }
        }
    }

    /// The part of the grid that it meets.
    public var grid: GridPart {
        GridPart(
            rows: Self.square(south)...Self.square(north),
            columns: Self.square(west)...Self.square(east))
    }

    private static func square(_ units: Int) -> Int {
        Int((Double(units) / Double(StreetSquare.side)).rounded(.down))
    }
}
