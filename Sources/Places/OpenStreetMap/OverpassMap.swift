/// The area of a map to fetch.
public struct MapArea: Equatable, Sendable {
    /// A position of a venue, in degrees.
    public struct Spot: Hashable, Sendable {
        /// The degrees north.
        public let latitude: Double
        /// The degrees east.
        public let longitude: Double

        /// Creates a position.
        public init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// The centre.
    public let center: Spot
    /// The radius within which main streets, water and parks are fetched, in metres.
    public let radiusMeters: Int
    /// Venues, around which everything is fetched.
    public let venues: [Spot]

    /// The radius around the centre within which all streets are fetched, in metres.
    public static let streetMeters = 3000
    /// The radius around the centre and each venue within which buildings are fetched, in metres:
    /// as far as the corners of the largest map of one place.
    public static let venueMeters = 1000
    /// The most venues.
    public static let venuesMax = 30

    /// Creates an area.
    ///
    /// - Parameters:
    ///   - center: the centre.
    ///   - radiusMeters: the radius of the whole, from 1 to ``OverpassClient/radiusMetersMax``.
    ///   - venues: the venues; those after ``venuesMax`` are left out.
    public init(center: Spot, radiusMeters: Int, venues: [Spot]) {
        self.center = center
        self.radiusMeters = min(max(radiusMeters, 1), OverpassClient.radiusMetersMax)
        self.venues = Array(venues.prefix(Self.venuesMax))
    }
}

/// The text of an Overpass query for the ways of a map.
struct OverpassMapQuery {
    /// The most ways and areas in one answer.
    static let waysMax = 60_000

    let text: String

    /// Builds a query.
    ///
    /// - Throws: ``PlaceError/badQuery(_:)`` if a position is not on earth.
    init(_ area: MapArea) throws(PlaceError) {
        let streets = min(area.radiusMeters, MapArea.streetMeters)
        let near = min(area.radiusMeters, MapArea.venueMeters)
        var lines = Self.lines(
            ["way\(StreetKinds.mainFilter)"] + StreetKinds.areaFilters,
            try Self.around(area.center, area.radiusMeters))
        lines += Self.lines(StreetKinds.streetFilters, try Self.around(area.center, streets))
        for (place, venue) in ([area.center] + area.venues).enumerated() {
            let wanted =
                ["way[\"building\"]"] + (place == 0 ? [] : StreetKinds.streetFilters)
            lines += Self.lines(wanted, try Self.around(venue, near))
        }
        text = """
            [out:json][timeout:\(OverpassQuery.timeoutSeconds)];
            (
            \(lines.joined(separator: "\n"))
            );
            out geom \(Self.waysMax);
            """
    }

    private static func lines(_ filters: [String], _ around: String) -> [String] {
        filters.map { "\($0)\(around);" }
    }

    private static func around(_ spot: MapArea.Spot, _ meters: Int) throws(PlaceError) -> String {
        guard let position = PlacePosition(latitude: spot.latitude, longitude: spot.longitude)
        else { throw .badQuery("\(spot.latitude), \(spot.longitude) is not a valid position.") }
        return "(around:\(meters),\(position.text))"
    }
}

/// The kinds of ways on a map, by the tags of OpenStreetMap.
enum StreetKinds {
    static let mainFilter = "[\"highway\"~\"^(\(main.sorted().joined(separator: "|")))$\"]"
    static let streetFilters = [
        "way[\"highway\"]", "way[\"railway\"~\"^(\(rails.sorted().joined(separator: "|")))$\"]",
    ]
    static let areaFilters = ["way", "relation"].flatMap { type in
        [
            "\(type)[\"natural\"=\"water\"]", "\(type)[\"waterway\"=\"riverbank\"]",
            "\(type)[\"leisure\"~\"^(\(greens.sorted().joined(separator: "|")))$\"]",
            "\(type)[\"landuse\"~\"^(\(lands.sorted().joined(separator: "|")))$\"]",
        ]
    }

    private static let main: Set = [
        "motorway", "trunk", "primary", "secondary", "tertiary", "motorway_link", "trunk_link",
        "primary_link", "secondary_link", "tertiary_link",
    ]
    private static let paths: Set = [
        "footway", "path", "cycleway", "steps", "pedestrian", "track", "bridleway",
    ]
    private static let unbuilt: Set = ["proposed", "construction", "razed", "abandoned"]
    private static let rails: Set = ["rail", "tram", "light_rail"]
    private static let greens: Set = ["park", "garden", "pitch", "playground", "golf_course"]
    private static let lands: Set = ["grass", "forest"]

    /// The kind of a way with these tags; `nil` for what maps do not show.
    static func kind(_ tags: [String: JSONValue]) -> StreetWay.Kind? {
        func has(_ key: String, _ values: Set<String>) -> Bool {
            tags[key]?.string.map(values.contains) ?? false
        }
        if has("tunnel", ["yes"]) || has("indoor", ["yes"]) { return nil }
        if tags["building"] != nil { return .house }
        if has("natural", ["water"]) || has("waterway", ["riverbank"]) { return .water }
        if has("leisure", greens) || has("landuse", lands) { return .park }
        if has("railway", rails) { return .rail }
        if has("highway", unbuilt) { return nil }
        if has("highway", paths) { return .path }
        if has("highway", main) { return .main }
        return tags["highway"] == nil ? nil : .street
    }
}

/// The ways of a map from an Overpass server.
public struct OverpassMap: Equatable, Sendable {
    /// The ways and areas, each once.
    public let ways: [StreetWay]
    /// The attribution that must be shown with a map of them, with the date of the data.
    public let attribution: String
    /// True if there may be more ways than the server returns at once.
    public let isFull: Bool
}

extension OverpassMap {
    /// The ways of elements, each once. Elements of another form are left out.
    struct Ways {
        fileprivate var ways: [StreetWay] = []
        private var seen: Set<StreetWay> = []
        fileprivate var elementCount = 0

        mutating func add(_ element: JSONValue) {
            elementCount += 1
            for way in OverpassMap.ways(element) where seen.insert(way).inserted {
                ways.append(way)
            }
        }
    }

    /// The answer to ``OverpassMapQuery``.
    ///
    /// - Parameters:
    ///   - ways: the ways of its elements.
    ///   - body: the rest of the answer.
    init(_ ways: Ways, _ body: JSONValue) {
        self.ways = ways.ways
        attribution = OverpassAnswer.attribution(
            PlaceText.line(body["osm3s"]?["timestamp_osm_base"]) ?? "")
        isFull = ways.elementCount >= OverpassMapQuery.waysMax
    }

    fileprivate static func ways(_ element: JSONValue) -> [StreetWay] {
        let tags = element["tags"]?.fields ?? [:]
        guard let kind = StreetKinds.kind(tags) else { return [] }
        let name = kind == .house || kind == .rail ? "" : PlaceText.line(tags["name"]) ?? ""
        switch element["type"]?.string {
        case "way":
            return lines(element["geometry"]).filter { !kind.isArea || $0.first == $0.last }
                .map { StreetWay(kind, named: name, $0) }
        case "relation" where kind.isArea:
            let outer = (element["members"]?.elements ?? []).filter { member in
                member["type"]?.string == "way" && member["role"]?.string != "inner"
            }
            return rings(outer.flatMap { lines($0["geometry"]) })
                .map { StreetWay(kind, named: name, $0) }
        default: return []
        }
    }

    /// The lines of a geometry, which has gaps where the server left points out.
    private static func lines(_ geometry: JSONValue?) -> [[StreetWay.Point]] {
        let points = (geometry?.elements ?? []).map(point)
        return points.split(separator: nil).map { part in
            part.compactMap(\.self).reduce(into: [StreetWay.Point]()) { line, point in
                if line.last != point { line.append(point) }
            }
        }.filter { $0.count > 1 }
    }

    private static func point(_ value: JSONValue) -> StreetWay.Point? {
        PlacePosition(latitude: value["lat"]?.number, longitude: value["lon"]?.number).map {
            StreetWay.Point(latitude: $0.latitude, longitude: $0.longitude)
        }
    }

    /// The closed lines that lines form when they are joined at their ends.
    static func rings(_ lines: [[StreetWay.Point]]) -> [[StreetWay.Point]] {
        var rest = lines
        var rings: [[StreetWay.Point]] = []
        while var ring = rest.popLast() {
            while ring.first != ring.last {
                let next = rest.firstIndex { $0.first == ring.last || $0.last == ring.last }
                guard let next else { break }
                let line = rest.remove(at: next)
                ring += line.first == ring.last ? line.dropFirst() : line.reversed().dropFirst()
            }
            if ring.first == ring.last { rings.append(ring) }
        }
        return rings
    }
}
