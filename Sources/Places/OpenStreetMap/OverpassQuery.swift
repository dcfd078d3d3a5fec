import Transport

/// A tag of OpenStreetMap to search for, such as `amenity=cafe`.
public struct OverpassTag: Hashable, Sendable {
    /// The key, such as `amenity`.
    public let key: String
    /// The value, such as `cafe`.
    public let value: String

    /// Creates a tag.
    public init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}

/// The text of an Overpass query: named places with any of some tags around a position.
struct OverpassQuery {
    /// The time limit of the query on the server, in seconds.
    static let timeoutSeconds = 60
    /// The most places in one answer.
    static let placesMax = 20_000
    /// The largest radius, enough for a city and its suburbs. Public servers are shared.
    static let radiusMetersMax = 30_000
    /// The most tags in one query.
    static let tagsMax = 200

    let text: String

    /// Builds a query.
    ///
    /// - Throws: ``PlaceError/badQuery(_:)`` if an argument is out of range.
    init(
        tags: [OverpassTag], latitude: Double, longitude: Double, radiusMeters: Int
    ) throws(PlaceError) {
        guard let position = PlacePosition(latitude: latitude, longitude: longitude) else {
            throw .badQuery(
                "\(latitude), \(longitude) is not a valid position: the latitude must be from -90 "
                    + "to 90, the longitude from -180 to 180.")
        }
        guard (1...Self.radiusMetersMax).contains(radiusMeters) else {
            throw .badQuery(
                "A radius of \(radiusMeters) m is out of range. Choose 1 to "
                    + "\(Self.radiusMetersMax) m.")
        }
        guard (1...Self.tagsMax).contains(tags.count) else {
            throw .badQuery("\(tags.count) tags are out of range. Choose 1 to \(Self.tagsMax).")
        }
        let around = "(around:\(radiusMeters),\(position.text))"
        let lines = tags.map { tag in
            "nwr[\(Self.quoted(tag.key))=\(Self.quoted(tag.value))][\"name\"]\(around);"
        }
        text = """
            [out:json][timeout:\(Self.timeoutSeconds)];
            (
            \(lines.joined(separator: "\n"))
            );
            out center tags \(Self.placesMax);
            """
    }

    private static func quoted(_ text: String) -> String {
        let escaped = PlaceText.line(text).replacing("\\", with: "\\\\")
            .replacing("\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}

/// The answer of an Overpass server.
struct OverpassReply {
    private(set) var places: [ImportedPlace] = []
    /// The number of elements that are correct but not imported, because they have no name or are
    /// repeated.
    private(set) var leftOutCount = 0
    /// The problems of elements that cannot be read, as sentences; at most
    /// ``PlaceImport/skippedMax``.
    private(set) var faults: [String] = []
    /// The time of the data, as the server writes it; empty if it does not say.
    let dataDate: String
    let remark: String?
    /// True if there may be more elements than the server returns at once.
    let isFull: Bool

    /// Reads the answer; nil if the value is not an answer to a query.
    init?(_ body: JSONValue) {
        guard case .array(let elements)? = body["elements"] else { return nil }
        dataDate = PlaceText.line(body["osm3s"]?["timestamp_osm_base"]) ?? ""
        remark = PlaceText.line(body["remark"])
        isFull = elements.count >= OverpassQuery.placesMax
        var ids: Set<String> = []
        for (index, element) in elements.enumerated() {
            do throws(PlaceFault) {
                guard let found = try Self.place(element), ids.insert(found.place.id).inserted
                else {
                    leftOutCount += 1
                    continue
                }
                places.append(found)
            } catch {
                guard faults.count < PlaceImport.skippedMax else { continue }
                faults.append("Element \(index + 1)\(error.reason)")
            }
        }
    }

    /// The place of an element; nil if it has no name. A node has a position; ways and relations
    /// have a centre.
    ///
    /// - Throws: a description of the problem, to be appended to the number of the element.
    private static func place(_ element: JSONValue) throws(PlaceFault) -> ImportedPlace? {
        guard let type = element["type"]?.string,
            let id = OpenStreetMapID(type: type, number: element["id"]?.integer)
        else { throw PlaceFault(reason: " is not a node, way or relation with an id.") }
        let point = element["center"] ?? element
        guard
            let position = PlacePosition(
                latitude: point["lat"]?.number, longitude: point["lon"]?.number)
        else { throw PlaceFault(reason: ", \(id.placeID), has no position.") }
        return OpenStreetMapPlace.place(
            id: id.placeID, position: position, tags: OpenStreetMapPlace.tags(element["tags"]))
    }
}
