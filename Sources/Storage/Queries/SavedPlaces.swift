public import Agenda
import GRDB
public import Ledger

/// Names a saved place.
public typealias SavedPlaceID = Identifier<SavedPlace>

/// A place that somebody keeps under a name of their own.
public struct SavedPlace: Equatable, Sendable {
    /// The id.
    public let id: SavedPlaceID
    /// The name.
    public var name: String
    /// The id at its source; `nil` for a place of their own.
    public var reference: String?
    /// The address, or any words.
    public var address: String
    /// Degrees north, where known and allowed to be kept.
    public var latitude: Double?
    /// Degrees east, where known and allowed to be kept.
    public var longitude: Double?

    /// Describes a place.
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
}

extension Store {
    /// The saved places of an owner by name, at most `limit`.
    public func savedPlaces(of owner: PersonID, limit: Int) async throws -> [SavedPlace] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM saved_place WHERE owner_id = :owner ORDER BY folded LIMIT :limit
                    """, arguments: ["owner": owner.text, "limit": limit]
            ).map(SavedPlace.init(row:))
        }
    }

    /// Saves a place; `false` when the owner has one of that name.
    public func addPlace(_ place: SavedPlace, owner: PersonID) async throws -> Bool {
        try await write { db in
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
                    "folded": SearchKey.fold(place.name), "reference": place.reference,
                    "address": place.address, "latitude": place.latitude,
                    "longitude": place.longitude,
                ])
            return db.changesCount > 0
        }
    }

    /// Forgets a saved place.
    public func removePlace(_ id: SavedPlaceID) async throws {
        try await write { db in
            try db.execute(
                sql: "DELETE FROM saved_place WHERE id = :id", arguments: ["id": id.text])
        }
    }
}

extension SavedPlace {
    init(row: Row) {
        self.init(
            id: SavedPlaceID(text: row["id"]), name: row["name"], reference: row["reference"],
            address: row["address"], latitude: row["latitude"], longitude: row["longitude"])
    }
}
