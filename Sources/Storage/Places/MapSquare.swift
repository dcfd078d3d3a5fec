import Foundation
import GRDB
public import Timekeeping

/// The streets, buildings and areas in a square of a map.
public struct MapSquare: Equatable, Sendable {
    /// Squares north of the equator.
    public let north: Int
    /// Squares east of Greenwich.
    public let east: Int
    /// The ways, packed.
    public let ways: [UInt8]

    /// Creates a square.
    public init(north: Int, east: Int, ways: [UInt8]) {
        self.north = north
        self.east = east
        self.ways = ways
    }
}

extension Store {
    /// Saves the map of a dataset in place of the one before. A dataset of this name must exist.
    ///
    /// - Parameters:
    ///   - squares: the squares, each once.
    ///   - dataset: the name of the dataset.
    ///   - attribution: the text that must be shown with the map.
    ///   - now: the current time.
    /// - Throws: ``StoreError``.
    public func saveMap(
        _ squares: [MapSquare], ofDataset dataset: String, attribution: String, now: Moment
    ) async throws {
        try await write { db in
            let id = try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT id FROM dataset WHERE name = :name"),
                arguments: ["name": dataset])
            guard let id else { throw StoreError.failed("there is no dataset \(dataset)") }
            try db.cachedStatement(sql: "DELETE FROM map WHERE dataset_id = :id")
                .execute(arguments: ["id": id])
            try db.cachedStatement(
                sql: """
                    INSERT INTO map (dataset_id, attribution, fetched_at)
                    VALUES (:id, :attribution, :now)
                    """
            ).execute(
                arguments: ["id": id, "attribution": attribution, "now": now.milliseconds])
            for square in squares {
                try db.cachedStatement(
                    sql: """
                        INSERT INTO map_square (dataset_id, north, east, ways)
                        VALUES (:id, :north, :east, :ways)
                        """
                ).execute(arguments: [
                    "id": id, "north": square.north, "east": square.east,
                    "ways": Data(square.ways),
                ])
            }
        }
    }

    /// The squares of all maps in a part of the grid, and the attributions to show with them.
    public func mapSquares(
        north: ClosedRange<Int>, east: ClosedRange<Int>
    ) async throws -> (squares: [MapSquare], attributions: [String]) {
        try await read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT s.north, s.east, s.ways, m.attribution FROM map_square s
                        JOIN map m ON m.dataset_id = s.dataset_id
                        WHERE s.north BETWEEN :south AND :north AND s.east BETWEEN :west AND :east
                        ORDER BY m.fetched_at DESC, s.dataset_id, s.north, s.east
                        """),
                arguments: [
                    "south": north.lowerBound, "north": north.upperBound,
                    "west": east.lowerBound, "east": east.upperBound,
                ])
            let squares = rows.map { row in
                MapSquare(
                    north: row["north"], east: row["east"], ways: [UInt8](row["ways"] as Data))
            }
            return (squares, Set(rows.map { $0["attribution"] as String }).sorted())
        }
    }

    /// A number that changes when a map is saved or removed.
    public func mapRevision() async throws -> Int64 {
        try await read { db in
            try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT coalesce(sum(fetched_at), 0) FROM map")) ?? 0
        }
    }

    /// The positions of venues in a box: those of meetings that are not over, and of saved places;
    /// each once, sorted.
    public func venuePositions(
        in box: GeoBox, after now: Moment, limit: Int
    ) async throws -> [(latitude: Double, longitude: Double)] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT place_latitude AS latitude, place_longitude AS longitude FROM meeting
                        WHERE place_latitude BETWEEN :south AND :north
                            AND place_longitude BETWEEN :west AND :east AND ends_at >= :now
                        UNION
                        SELECT latitude, longitude FROM saved_place
                        WHERE latitude BETWEEN :south AND :north
                            AND longitude BETWEEN :west AND :east
                        ORDER BY latitude, longitude LIMIT :limit
                        """),
                arguments: [
                    "south": box.south, "north": box.north, "west": box.west, "east": box.east,
                    "now": now.milliseconds, "limit": limit,
                ]
            ).map { ($0["latitude"], $0["longitude"]) }
        }
    }
}
