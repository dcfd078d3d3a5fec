import Foundation
import GRDB
public import Timekeeping

/// The map of a region, packed by the squares of a grid on the earth.
public struct PackedMap: Equatable, Sendable {
    /// The streets, buildings and areas in a square.
    public struct Square: Equatable, Sendable {
        /// The row, counted north from the equator.
        public let row: Int
        /// The column, counted east from Greenwich.
        public let column: Int
        /// The ways, packed.
        public let ways: [UInt8]

        /// Creates a square.
        public init(row: Int, column: Int, ways: [UInt8]) {
            self.row = row
            self.column = column
            self.ways = ways
        }
    }

    /// The rows and columns of the region.
    public let part: GridPart
    /// The squares, each once; those without ways are left out.
    public let squares: [Square]
    /// The ways that are in many squares, packed.
    public let wide: [UInt8]

    /// Creates a map.
    public init(part: GridPart, squares: [Square], wide: [UInt8]) {
        self.part = part
        self.squares = squares
        self.wide = wide
    }
}

/// A part of a grid on the earth.
public struct GridPart: Equatable, Sendable {
    /// The rows, counted north from the equator.
    public let rows: ClosedRange<Int>
    /// The columns, counted east from Greenwich.
    public let columns: ClosedRange<Int>

    /// Creates a part.
    public init(rows: ClosedRange<Int>, columns: ClosedRange<Int>) {
        self.rows = rows
        self.columns = columns
    }

    fileprivate var arguments: StatementArguments {
        [
            "south": rows.lowerBound, "north": rows.upperBound, "west": columns.lowerBound,
            "east": columns.upperBound,
        ]
    }
}

extension Store {
    /// Saves the map of a dataset in place of the one before. A dataset of this name must exist.
    ///
    /// - Parameters:
    ///   - map: the map.
    ///   - dataset: the name of the dataset.
    ///   - attribution: the text that must be shown with the map.
    ///   - now: the current time.
    /// - Throws: ``StoreError``.
    public func saveMap(
        _ map: PackedMap, ofDataset dataset: String, attribution: String, now: Moment
    ) async throws {
        try await write { db in
            let id = try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT id FROM dataset WHERE name = :name"),
                arguments: ["name": dataset])
            guard let id else { throw StoreError.failed("there is no dataset \(dataset)") }
            try db.cachedStatement(sql: "DELETE FROM map WHERE dataset_id = :id")
                .execute(arguments: ["id": id])
            let own: StatementArguments = [
                "id": id, "attribution": attribution, "now": now.milliseconds,
                "wide": Data(map.wide),
            ]
            try db.cachedStatement(
                sql: """
                    INSERT INTO map (
                        dataset_id, attribution, fetched_at, south, north, west, east, wide)
                    VALUES (:id, :attribution, :now, :south, :north, :west, :east, :wide)
                    """
            ).execute(arguments: own &+ map.part.arguments)
            for square in map.squares { try square.save(of: id, in: db) }
        }
    }

    /// The packed ways of all maps in a part of the grid, and the attributions to show with them.
    public func mapWays(
        in part: GridPart
    ) async throws -> (packs: [[UInt8]], attributions: [String]) {
        try await read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT m.fetched_at, m.dataset_id, s.ways, m.attribution FROM map_square s
                        JOIN map m ON m.dataset_id = s.dataset_id
                        WHERE s.grid_row BETWEEN :south AND :north
                            AND s.grid_column BETWEEN :west AND :east
                        UNION ALL
                        SELECT fetched_at, dataset_id, wide, attribution FROM map
                        WHERE south <= :north AND north >= :south
                            AND west <= :east AND east >= :west
                        ORDER BY 1 DESC, 2
                        """), arguments: part.arguments)
            return (
                rows.map { [UInt8]($0["ways"] as Data) },
                Set(rows.map { $0["attribution"] as String }).sorted()
            )
        }
    }

    /// A number that changes when a map is saved or removed.
    public func mapRevision() async throws -> Int64 {
        try await read { db in
            try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT coalesce(max(fetched_at), 0) + count(*) FROM map"))
                ?? 0
        }
    }

    /// The positions of venues in a box, rounded to 0.005 degrees: first those of meetings to come,
    /// the next ones first, then those of saved places; each once.
    public func venuePositions(
        in box: GeoBox, after now: Moment, limit: Int
    ) async throws -> [(latitude: Double, longitude: Double)] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT round(latitude * 200) / 200 AS latitude,
                            round(longitude * 200) / 200 AS longitude, min(rank) AS rank
                        FROM (
                            SELECT place_latitude AS latitude, place_longitude AS longitude,
                                starts_at AS rank FROM meeting
                            WHERE status = 'confirmed' AND ends_at >= :now
                            UNION ALL
                            SELECT latitude, longitude, 9223372036854775807 FROM saved_place
                        ) AS venue
                        WHERE latitude BETWEEN :south AND :north
                            AND longitude BETWEEN :west AND :east
                        GROUP BY 1, 2 ORDER BY 3, 1, 2 LIMIT :limit
                        """),
                arguments: [
                    "south": box.south, "north": box.north, "west": box.west, "east": box.east,
                    "now": now.milliseconds, "limit": limit,
                ]
            ).map { ($0["latitude"], $0["longitude"]) }
        }
    }
}

extension PackedMap.Square {
    fileprivate func save(of dataset: Int64, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO map_square (dataset_id, grid_row, grid_column, ways)
                VALUES (:id, :row, :column, :ways)
                """
        ).execute(arguments: [
            "id": dataset, "row": row, "column": column, "ways": Data(ways),
        ])
    }
}
