import GRDB
public import Timekeeping

/// A place of the catalogue.
public struct CataloguePlace: Equatable, Sendable {
    /// The id, which starts with its source, such as `osm:node/123`.
    public var id: String
    /// The name.
    public var name: String
    /// The latitude in degrees north, if known.
    public var latitude: Double?
    /// The longitude in degrees east, if known.
    public var longitude: Double?
    /// The address in one line.
    public var address: String
    /// A web page about it; empty if none is known.
    public var url: String
    /// The opening hours as the source gives them.
    public var hours: String
    /// Its own categories: ids with their labels.
    public var categories: [String: String]
    /// The broader categories above its own, under which it can also be found.
    public var wider: [String: String]

    /// Creates a place.
    public init(
        id: String, name: String, latitude: Double?, longitude: Double?, address: String,
        url: String, hours: String, categories: [String: String], wider: [String: String]
    ) {
        self.id = id
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.address = address
        self.url = url
        self.hours = hours
        self.categories = categories
        self.wider = wider
    }
}

/// An area between two parallels and two meridians, in degrees.
public struct GeoBox: Equatable, Sendable {
    /// The southern edge.
    public let south: Double
    /// The northern edge.
    public let north: Double
    /// The western edge.
    public let west: Double
    /// The eastern edge.
    public let east: Double

    /// Creates a box.
    public init(south: Double, north: Double, west: Double, east: Double) {
        self.south = south
        self.north = north
        self.west = west
        self.east = east
    }
}

/// A place found in a box: its number and position.
public struct CatalogueHit: Sendable {
    /// Its number in the catalogue.
    public let number: Int64
    /// The latitude in degrees north.
    public let latitude: Double
    /// The longitude in degrees east.
    public let longitude: Double
}

/// A source of catalogue places.
public struct Dataset: Equatable, Sendable {
    /// The name. Loading a dataset with the same name again adds to it and updates it.
    public let name: String
    /// The attribution to show with its places.
    public let attribution: String
    /// The radius around its city that was fetched, in meters; `nil` if it was not fetched.
    public let radiusMeters: Int?

    /// Creates a dataset value.
    public init(name: String, attribution: String, radiusMeters: Int? = nil) {
        self.name = name
        self.attribution = attribution
        self.radiusMeters = radiusMeters
    }
}

extension Store {
    /// Whether a dataset with this name was loaded.
    public func hasDataset(named name: String) async throws -> Bool {
        try await read { db in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM dataset WHERE name = :name)"),
                arguments: ["name": name]) ?? false
        }
    }

    /// Adds places to a dataset in one transaction, and updates those that are already in the
    /// catalogue. Returns the number of new places.
    public func importPlaces(
        _ places: [CataloguePlace], into dataset: Dataset, now: Moment
    ) async throws -> Int {
        try await write { db in
            try db.execute(
                sql: """
                    INSERT INTO dataset (name, attribution, loaded_at, radius_meters)
                    VALUES (:name, :attribution, :now, :radius)
                    ON CONFLICT (name) DO UPDATE SET
                        attribution = :attribution, loaded_at = :now, radius_meters = :radius
                    """,
                arguments: [
                    "name": dataset.name, "attribution": dataset.attribution,
                    "now": now.milliseconds, "radius": dataset.radiusMeters,
                ])
            return try places.reduce(0) { count, place in
                try place.save(into: dataset.name, now: now, in: db) ? count + 1 : count
            }
        }
    }

    /// The datasets whose names start with this prefix, ordered by name. The prefix must not
    /// contain LIKE wildcards.
    public func datasets(namedWith prefix: String, limit: Int) async throws -> [Dataset] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT name, attribution, radius_meters FROM dataset
                        WHERE name LIKE :pattern ORDER BY name LIMIT :limit
                        """), arguments: ["pattern": "\(prefix)%", "limit": limit]
            ).map { row in
                Dataset(
                    name: row["name"], attribution: row["attribution"],
                    radiusMeters: row["radius_meters"])
            }
        }
    }

    /// Removes the places of a dataset that its source no longer contains.
    ///
    /// - Parameters:
    ///   - name: the name of the dataset.
    ///   - moment: removes only places that were last seen before this.
    ///   - limit: the maximum number to remove at once.
    /// - Returns: the number of removed places.
    /// - Throws: ``StoreError``.
    public func removePlaces(
        ofDataset name: String, seenBefore moment: Moment, limit: Int
    ) async throws -> Int {
        try await write { db in
            let numbers = try Int64.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT p.number FROM dataset d
                        JOIN catalogue_place p ON p.dataset_id = d.id
                        WHERE d.name = :name AND p.loaded_at < :moment LIMIT :limit
                        """),
                arguments: ["name": name, "moment": moment.milliseconds, "limit": limit])
            for number in numbers { try CataloguePlace.remove(number, in: db) }
            return numbers.count
        }
    }

    /// The places with these numbers in the given order, with the attributions to show with them.
    public func cataloguePlaces(
        _ numbers: [Int64]
    ) async throws -> (places: [CataloguePlace], attributions: [String]) {
        try await read { db in
            var attributions: Set<String> = []
            let places = try numbers.compactMap { number -> CataloguePlace? in
                let row = try Row.fetchOne(
                    db.cachedStatement(sql: "\(CataloguePlace.select) WHERE p.number = :number"),
                    arguments: ["number": number])
                guard let row else { return nil }
                attributions.insert(row["attribution"])
                return try CataloguePlace(row: row, in: db)
            }
            return (places, attributions.sorted())
        }
    }

    /// The place with this id, with the attribution to show with it.
    public func cataloguePlace(
        id: String
    ) async throws -> (place: CataloguePlace, attribution: String)? {
        try await read { db in
            try Row.fetchOne(
                db.cachedStatement(sql: "\(CataloguePlace.select) WHERE p.id = :id"),
                arguments: ["id": id]
            ).map { (try CataloguePlace(row: $0, in: db), $0["attribution"]) }
        }
    }
}

extension CataloguePlace {
    fileprivate static let select = """
        SELECT p.*, d.attribution FROM catalogue_place p JOIN dataset d ON d.id = p.dataset_id
        """

    fileprivate init(row: Row, in db: Database) throws {
        let number: Int64 = row["number"]
        let categories = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT category_id, label FROM catalogue_category
                    WHERE place_number = :number AND is_own = 1
                    """), arguments: ["number": number])
        self.init(
            id: row["id"], name: row["name"], latitude: row["latitude"],
            longitude: row["longitude"], address: row["address"], url: row["url"],
            hours: row["hours"],
            categories: Dictionary(
                categories.map { ($0["category_id"], $0["label"]) }, uniquingKeysWith: { $1 }),
            wider: [:])
    }

    /// Saves the place with its indexes. Returns true if it is new.
    fileprivate func save(
        into dataset: String, now: Moment, in db: Database
    ) throws -> Bool {
        let known = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT number FROM catalogue_place WHERE id = :id"),
            arguments: ["id": id])
        if let known { try Self.removeIndexes(known, in: db) }
        let number = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    INSERT INTO catalogue_place (
                        id, dataset_id, name, latitude, longitude, address, url, hours, loaded_at)
                    SELECT :id, d.id, :name, :latitude, :longitude, :address, :url, :hours, :now
                    FROM dataset d WHERE d.name = :dataset
                    ON CONFLICT (id) DO UPDATE SET dataset_id = excluded.dataset_id,
                        name = :name, latitude = :latitude, longitude = :longitude,
                        address = :address, url = :url, hours = :hours, loaded_at = :now
                    RETURNING number
                    """),
            arguments: [
                "id": id, "dataset": dataset, "name": name, "latitude": latitude,
                "longitude": longitude, "address": address, "url": url, "hours": hours,
                "now": now.milliseconds,
            ])
        guard let number else { throw StoreError.failed("saving a place returned no row number") }
        try saveCategories(number, in: db)
        try CatalogueIndexes.insert(self, number: number, in: db)
        return known == nil
    }

    /// Removes the place and its index entries.
    fileprivate static func remove(_ number: Int64, in db: Database) throws {
        try removeIndexes(number, in: db)
        try db.cachedStatement(sql: "DELETE FROM catalogue_place WHERE number = :number")
            .execute(arguments: ["number": number])
    }

    private static func removeIndexes(_ number: Int64, in db: Database) throws {
        try db.cachedStatement(
            sql: "DELETE FROM catalogue_category WHERE place_number = :number"
        ).execute(arguments: ["number": number])
        try CatalogueIndexes.remove(number, in: db)
    }

    private func saveCategories(_ number: Int64, in db: Database) throws {
        let rows = categories.map { ($0, true) } + wider.map { ($0, false) }
        for (category, isOwn) in rows {
            try db.cachedStatement(
                sql: """
                    INSERT INTO catalogue_category (place_number, category_id, label, is_own)
                    VALUES (:number, :category, :label, :own) ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [
                "number": number, "category": category.key, "label": category.value,
                "own": isOwn,
            ])
        }
    }
}
