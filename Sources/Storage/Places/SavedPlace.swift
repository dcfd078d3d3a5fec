public import Agenda
import GRDB
public import Ledger

/// The id of a saved place.
public typealias SavedPlaceID = Identifier<SavedPlace>

/// A place that a person saved under a name of their choice.
public struct SavedPlace: Equatable, Sendable {
    /// The id.
    public let id: SavedPlaceID
    /// The name.
    public var name: String
    /// The id at its source; `nil` for a place that the person described themselves.
    public var reference: String?
    /// The address, or any description.
    public var address: String
    /// The latitude in degrees north, if it is known and may be stored.
    public var latitude: Double?
    /// The longitude in degrees east, if it is known and may be stored.
    public var longitude: Double?

    /// Creates a saved place.
    public init(
        id: SavedPlaceID, name: String, reference: String? = nil, address: String = "",
        latitude: Double? = nil, longitude: Double? = nil
    ) {
        self.id = id
        self.name = name
        self.reference = reference
        self.address = address
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The key of the name, which no other place of the owner has. A name without letters and
    /// digits, such as an emoji, is its own key.
    fileprivate var key: String {
        let key = SearchKey.fold(name)
        return key.isEmpty ? name : key
    }
}

/// The possible meanings of a text that names a place.
public struct PlaceMeanings: Sendable {
    /// The owner's saved places, among which the name is searched.
    public let saved: [SavedPlace]
    /// True if the text is the id of a place in the catalogue.
    public let isCatalogued: Bool
}

extension PeopleLookup {
    /// The possible meanings of a text: all saved places of an owner, ordered by name, at most
    /// `limit`, and whether the text is the id of a catalogue place.
    public func placeMeanings(
        of text: String, owner: PersonID, limit: Int
    ) throws -> PlaceMeanings {
        let number = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT number FROM catalogue_place WHERE id = :id"),
            arguments: ["id": text])
        return PlaceMeanings(
            saved: try SavedPlace.fetchAll(of: owner, limit: limit, in: db),
            isCatalogued: number != nil)
    }
}

extension Store {
    /// The saved places of an owner, ordered by name, at most `limit`.
    public func savedPlaces(of owner: PersonID, limit: Int) async throws -> [SavedPlace] {
        try await read { db in try SavedPlace.fetchAll(of: owner, limit: limit, in: db) }
    }

    /// The place that an owner saved from the source place with this id.
    public func savedPlace(referring reference: String, of owner: PersonID) async throws
        -> SavedPlace?
    {
        try await read { db in try SavedPlace.referring(reference, of: owner, in: db) }
    }

    /// Saves a place, unless the owner has already saved it from the same source.
    ///
    /// - Returns: the saved place; `nil` if another one has the same name.
    public func addPlace(_ place: SavedPlace, owner: PersonID) async throws -> SavedPlace? {
        try await write { db in
            if let reference = place.reference,
                let known = try SavedPlace.referring(reference, of: owner, in: db)
            {
                return known
            }
            try db.execute(
                sql: """
                    INSERT INTO saved_place (
                        id, owner_id, name, folded, reference, address, latitude, longitude)
                    VALUES (
                        :id, :owner, :name, :folded, :reference, :address, :latitude, :longitude)
                    ON CONFLICT DO NOTHING
                    """,
                arguments: [
                    "id": place.id.text, "owner": owner.text, "name": place.name,
                    "folded": place.key, "reference": place.reference,
                    "address": place.address, "latitude": place.latitude,
                    "longitude": place.longitude,
                ])
            return db.changesCount > 0 ? place : nil
        }
    }

    /// The saved place with this id, if it is of this owner; `nil` otherwise.
    public func savedPlace(_ id: SavedPlaceID, of owner: PersonID) async throws -> SavedPlace? {
        try await read { db in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: "SELECT * FROM saved_place WHERE id = :id AND owner_id = :owner"),
                arguments: ["id": id.text, "owner": owner.text]
            ).map(SavedPlace.init(row:))
        }
    }

    /// Replaces the name, the address and the position of a saved place.
    ///
    /// - Parameters:
    ///   - place: the place with its new values.
    ///   - owner: the person who saved it.
    /// - Returns: false if another place of the owner has the name, or if the place is gone.
    /// - Throws: ``StoreError``.
    public func editPlace(_ place: SavedPlace, owner: PersonID) async throws -> Bool {
        try await write { db in
            try db.execute(
                sql: """
                    UPDATE saved_place SET name = :name, folded = :folded, address = :address,
                        latitude = :latitude, longitude = :longitude
                    WHERE id = :id AND owner_id = :owner AND NOT EXISTS (
                        SELECT 1 FROM saved_place o
                        WHERE o.owner_id = :owner AND o.folded = :folded AND o.id <> :id)
                    """,
                arguments: [
                    "id": place.id.text, "owner": owner.text, "name": place.name,
                    "folded": place.key, "address": place.address,
                    "latitude": place.latitude, "longitude": place.longitude,
                ])
            return db.changesCount > 0
        }
    }

    /// Deletes a saved place.
    public func removePlace(_ id: SavedPlaceID) async throws {
        try await write { db in
            try db.execute(
                sql: "DELETE FROM saved_place WHERE id = :id", arguments: ["id": id.text])
        }
    }
}

extension SavedPlace {
    fileprivate static func fetchAll(
        of owner: PersonID, limit: Int, in db: Database
    ) throws -> [SavedPlace] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT * FROM saved_place WHERE owner_id = :owner
                    ORDER BY folded LIMIT :limit
                    """), arguments: ["owner": owner.text, "limit": limit]
        ).map(SavedPlace.init(row:))
    }

    fileprivate static func referring(
        _ reference: String, of owner: PersonID, in db: Database
    ) throws -> SavedPlace? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT * FROM saved_place WHERE owner_id = :owner AND reference = :reference
                    """),
            arguments: ["owner": owner.text, "reference": reference]
        ).map(SavedPlace.init(row:))
    }

    init(row: Row) {
        self.init(
            id: SavedPlaceID(text: row["id"]), name: row["name"], reference: row["reference"],
            address: row["address"], latitude: row["latitude"], longitude: row["longitude"])
    }
}
