import GRDB

extension Store {
    /// The maximum number of places in a box that are examined.
    public static let catalogueHitsMax = 200_000

    /// The places in a box. If `categories` is not empty, only those with one of these categories;
    /// if `name` is given, only those with words in their name that start with the words of `name`.
    public func catalogueHits(
        in box: GeoBox, categories: [String], name: String? = nil
    ) async throws -> [CatalogueHit] {
        var conditions: [String] = []
        if !categories.isEmpty {
            let list = categories.map { "'\($0.filter(\.isHexDigit))'" }.joined(separator: ", ")
            conditions.append(
                """
                AND EXISTS (SELECT 1 FROM catalogue_category c
                    WHERE c.place_number = p.number AND c.category_id IN (\(list)))
                """)
        }
        var arguments = box.arguments
        if let name {
            conditions.append(
                "AND p.number IN (SELECT rowid FROM catalogue_text WHERE name MATCH :name)")
            arguments += ["name": CatalogueIndexes.pattern(name)]
        }
        let condition = conditions.joined(separator: " ")
        return try await read { [arguments] db in
            try Row.fetchAll(
                db,
                sql: """
                    /* SQLite */ SELECT p.number, p.latitude, p.longitude
                    FROM catalogue_position r JOIN catalogue_place p ON p.number = r.number
                    WHERE r.south >= :south AND r.north <= :north
                        AND r.west >= :west AND r.east <= :east \(condition)
                    LIMIT :limit
                    """, arguments: arguments
            ).map { row in
                CatalogueHit(
                    number: row["number"], latitude: row["latitude"], longitude: row["longitude"])
            }
        }
    }

    /// The places whose names begin with these words, as their numbers, at most `limit`.
    public func catalogueNumbers(namedLike name: String, limit: Int) async throws -> [Int64] {
        try await read { db in
            try Int64.fetchAll(
                db.cachedStatement(
                    sql: """
                        /* SQLite */ SELECT rowid FROM catalogue_text WHERE name MATCH :name
                        LIMIT :limit
                        """),
                arguments: ["name": CatalogueIndexes.beginning(name), "limit": limit])
        }
    }

    /// The places in a box that have an address, as their numbers and addresses.
    public func catalogueAddresses(
        in box: GeoBox
    ) async throws -> [(number: Int64, address: String)] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    /* SQLite */ SELECT p.number, p.address
                    FROM catalogue_position r JOIN catalogue_place p ON p.number = r.number
                    WHERE r.south >= :south AND r.north <= :north
                        AND r.west >= :west AND r.east <= :east AND p.address <> ''
                    LIMIT :limit
                    """, arguments: box.arguments
            ).map { ($0["number"], $0["address"]) }
        }
    }

    /// The attributions to show with a result for this box, even an empty one.
    public func attributions(in box: GeoBox) async throws -> [String] {
        try await read { db in
            try String.fetchAll(
                db,
                sql: """
                    /* SQLite */ SELECT DISTINCT d.attribution FROM dataset d WHERE d.id IN (
                        SELECT p.dataset_id FROM catalogue_position r
                        JOIN catalogue_place p ON p.number = r.number
                        WHERE r.south >= :south AND r.north <= :north
                            AND r.west >= :west AND r.east <= :east LIMIT :limit)
                    ORDER BY d.attribution
                    """, arguments: box.arguments)
        }
    }
}

/// The indexes of the catalogue: by position (R*Tree) and by name (FTS5).
enum CatalogueIndexes {
    static func insert(_ place: CataloguePlace, number: Int64, in db: Database) throws {
        try db.cachedStatement(
            sql: "/* SQLite */ INSERT INTO catalogue_text (rowid, name) VALUES (:number, :name)"
        ).execute(arguments: ["number": number, "name": place.name])
        guard let latitude = place.latitude, let longitude = place.longitude else { return }
        try db.cachedStatement(
            sql: """
                /* SQLite */ INSERT INTO catalogue_position (number, south, north, west, east)
                VALUES (:number, :latitude, :latitude, :longitude, :longitude)
                """
        ).execute(arguments: [
            "number": number, "latitude": latitude, "longitude": longitude,
        ])
    }

    static func remove(_ number: Int64, in db: Database) throws {
        for key in ["catalogue_position WHERE number", "catalogue_text WHERE rowid"] {
            try db.cachedStatement(sql: "/* SQLite */ DELETE FROM \(key) = :number")
                .execute(arguments: ["number": number])
        }
    }

    /// The FTS5 query for a name: each word becomes a quoted prefix query.
    /// The pattern of names that begin with these whole words.
    fileprivate static func beginning(_ name: String) -> String {
        "^ \"\(name.replacing("\"", with: "\"\""))\""
    }

    fileprivate static func pattern(_ name: String) -> String {
        name.split(whereSeparator: \.isWhitespace)
            .map { "\"\($0.replacing("\"", with: "\"\""))\"*" }.joined(separator: " ")
    }
}

extension GeoBox {
    /// The box with a margin of about one meter, because the R*Tree stores 32-bit numbers and
    /// rounds outwards.
    fileprivate var arguments: StatementArguments {
        let margin = 0.00001
        return [
            "south": south - margin, "north": north + margin, "west": west - margin,
            "east": east + margin, "limit": Store.catalogueHitsMax,
        ]
    }
}
