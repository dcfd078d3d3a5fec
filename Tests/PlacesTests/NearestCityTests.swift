import TestKit
import Testing

@testable import Places

/// Compares the grid of the gazetteer with a search of all its cities.
@Suite struct NearestCityTests {
    private struct Spot {
        let id: Int
        let latitude: Double
        let longitude: Double
    }

    private let gazetteer: Gazetteer
    private let spots: [Spot]

    init() throws {
        gazetteer = try ShippedData.gazetteer()
        spots = try ShippedData.rows(of: "cities.tsv").compactMap { row in
            guard let id = Int(row[0]), let latitude = Double(row[5]),
                let longitude = Double(row[6])
            else { return nil }
            return Spot(id: id, latitude: latitude, longitude: longitude)
        }
    }

    /// The nearest of all cities within the reach. If several are equally near, the last wins.
    private func scanned(_ latitude: Double, _ longitude: Double) -> Int? {
        var best: (distance: Double, id: Int)?
        for spot in spots {
            // A degree of latitude is 111 km, so a city more than 4.6 degrees away is too far.
            guard abs(spot.latitude - latitude) < 4.6 else { continue }
            let distance = GreatCircle.kilometres(
                from: (latitude, longitude), to: (spot.latitude, spot.longitude))
            guard distance <= best?.distance ?? Gazetteer.reachKilometresMax else { continue }
            best = (distance, spot.id)
        }
        return best?.id
    }

    private func expectSame(_ latitude: Double, _ longitude: Double, seed: UInt64 = 0) {
        #expect(
            gazetteer.nearest(latitude: latitude, longitude: longitude)?.id
                == scanned(latitude, longitude),
            "\(latitude), \(longitude), seed \(seed)")
    }

    @Test func `The grid finds the same city as a full search, everywhere`() {
        var random = SeededRandom(seed: .random(in: 0...(.max)))
        print("nearest cities: seed \(random.seed)")
        for _ in 0..<60 {
            expectSame(
                .random(in: -90...90, using: &random), .random(in: -180...180, using: &random),
                seed: random.seed)
        }
        for _ in 0..<60 {
            let spot = spots[Int.random(in: spots.indices, using: &random)]
            expectSame(
                spot.latitude + .random(in: -0.5...0.5, using: &random),
                min(180, max(-180, spot.longitude + .random(in: -2...2, using: &random))),
                seed: random.seed)
        }
    }

    @Test(arguments: [
        (-18.0, 179.999), (-18.0, -179.999), (-18.0, 180.0), (-18.0, -180.0), (66.0, -179.9),
        (82.0, -62.0), (89.9, 15.6), (90.0, 0.0), (-90.0, 0.0), (0.0, 0.0), (78.2, 15.6),
        (60.0, 24.0), (59.999_999, 24.999_999), (-54.8, -68.3), (74.0, 19.0), (51.9, 179.5),
    ])
    func `The grid is right at the poles, the date line and square edges`(
        _ latitude: Double, _ longitude: Double
    ) {
        expectSame(latitude, longitude)
    }
}
