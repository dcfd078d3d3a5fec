/// An index of the cities in squares of one degree, so that only a few have to be searched for the
/// nearest.
struct CityGrid: Sendable {
    /// A position in degrees.
    typealias Position = (latitude: Double, longitude: Double)

    private struct Spot {
        let id: Int
        let position: Position

        var square: Square { Square(position) }
    }

    /// A square, counted from the south pole and from the 180th meridian.
    private struct Square: Hashable {
        let row: Int
        let column: Int

        init(row: Int, column: Int) {
            self.row = row
            // Columns wrap around at the 180th meridian.
            self.column = (column % 360 + 360) % 360
        }

        init(_ position: Position) {
            self.init(
                row: Self.row(position.latitude),
                column: Int(position.longitude.rounded(.down)) + 180)
        }

        /// The row of a latitude. The north pole belongs to the last row.
        static func row(_ latitude: Double) -> Int {
            min(max(0, Int(latitude.rounded(.down)) + 90), 179)
        }
    }

    /// The radius of the first search. It grows fourfold until a city is found.
    private static let reachKilometresFirst = 25.0

    private let spots: [Square: [Spot]]

    /// Builds the index from `cities.tsv`.
    init(_ cities: SortedLines) {
        var all: [Spot] = []
        cities.scan { line in
            all.append(
                Spot(id: line[0].number, position: (line[5].decimal, line[6].decimal)))
            return true
        }
        spots = Dictionary(grouping: all, by: \.square)
    }

    /// The id of the nearest city. If several are equally near, the highest id wins.
    func nearest(to center: Position, reachKilometresMax: Double) -> Int? {
        var reach = min(Self.reachKilometresFirst, reachKilometresMax)
        while true {
            if let found = nearest(to: center, reachKilometres: reach) { return found }
            guard reach < reachKilometresMax else { return nil }
            reach = min(reach * 4, reachKilometresMax)
        }
    }

    private func nearest(to center: Position, reachKilometres: Double) -> Int? {
        var best: (distance: Double, id: Int)?
        for square in Self.squares(around: center, reachKilometres: reachKilometres) {
            for spot in spots[square] ?? [] {
                let distance = GreatCircle.kilometres(from: center, to: spot.position)
                guard distance <= reachKilometres else { continue }
                if let best, (best.distance, -best.id) < (distance, -spot.id) { continue }
                best = (distance, spot.id)
            }
        }
        return best?.id
    }

    /// All squares that the circle touches, each once.
    private static func squares(
        around center: Position, reachKilometres: Double
    ) -> [Square] {
        // A margin of about a metre for rounding errors.
        let degrees = reachKilometres / GreatCircle.degreeKilometres + 0.00001
        let width = GreatCircle.widthDegrees(of: degrees, aroundLatitude: center.latitude)
        let west = Int((center.longitude - width).rounded(.down)) + 180
        let east = Int((center.longitude + width).rounded(.down)) + 180
        let columns = west...min(east, west + 359)
        let rows = Square.row(center.latitude - degrees)...Square.row(center.latitude + degrees)
        return rows.flatMap { row in columns.map { Square(row: row, column: $0) } }
    }
}
