import Transport

/// A tag of OpenStreetMap that is looked for, such as `amenity=cafe`.
public struct OverpassTag: Hashable, Sendable {
    /// The key: `amenity`.
    public let key: String
    /// The value: `cafe`.
    public let value: String

    /// Describes a tag.
    public init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}

/// What Overpass is asked: the named places with any of some tags around a position.
struct OverpassQuery {
    /// How long the server may work.
    static let timeoutSeconds = 60
    /// The most places that are brought at once.
    static let placesMax = 20_000
    /// The largest radius: a city and its suburbs. Public servers are shared.
    static let radiusMetersMax = 30_000
    /// The most tags in one query.
    static let tagsMax = 200

    let text: String

    /// - Throws: ``PlaceError/badQuery(_:)`` for what no server should be asked.
    init(
        tags: [OverpassTag], latitude: Double, longitude: Double, radiusMeters: Int
    ) throws(PlaceError) {
        guard let position = PlacePosition(latitude: latitude, longitude: longitude) else {
            throw .badQuery("\(latitude), \(longitude) is no place on the earth.")
        }
        guard (1...Self.radiusMetersMax).contains(radiusMeters) else {
            throw .badQuery(
                "A radius of \(radiusMeters) m is out of range: 1 to \(Self.radiusMetersMax) m "
                    + "around a city can be fetched.")
        }
        guard (1...Self.tagsMax).contains(tags.count) else {
            throw .badQuery("\(tags.count) tags cannot be asked for: 1 to \(Self.tagsMax) can.")
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

/// What an Overpass server answered.
struct OverpassReply {
    private(set) var places: [ImportedPlace] = []
    /// How many elements are no place, and no mistake: without a name, or repeated.
    private(set) var leftOutCount = 0
    /// Why elements cannot be read, in sentences; at most ``PlaceImport/skippedMax``.
    private(set) var faults: [String] = []
    /// The moment of the data, as the server writes it; empty where it does not say.
    let dataDate: String
    let remark: String?
    /// Whether there may be more elements than the server sends at once.
    let isFull: Bool

    /// Nil when the value is no answer to a query.
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

    /// A node has a position of its own, ways and relations a centre; nil without a name.
    ///
    /// - Throws: what is wrong with it, to be read after its number.
    private static func place(_ element: JSONValue) throws(PlaceFault) -> ImportedPlace? {
        guard let type = element["type"]?.string,
            let id = OpenStreetMapID(type: type, number: element["id"]?.integer)
        else { throw PlaceFault(reason: " is no node, way or relation with an id.") }
        let point = element["center"] ?? element
        guard
            let position = PlacePosition(
                latitude: point["lat"]?.number, longitude: point["lon"]?.number)
        else { throw PlaceFault(reason: ", \(id.placeID), has no position.") }
        return OpenStreetMapPlace.place(
            id: id.placeID, position: position, tags: OpenStreetMapPlace.tags(element["tags"]))
    }
}
