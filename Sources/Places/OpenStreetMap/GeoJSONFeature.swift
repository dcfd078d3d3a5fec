/// One GeoJSON feature (RFC 7946), as written by OpenStreetMap's tools or by others.
enum GeoJSONFeature {
    /// The place of a feature; nil if it has no name.
    static func place(_ feature: JSONValue) throws(PlaceFault) -> ImportedPlace? {
        let properties = feature["properties"]
        let tags = OpenStreetMapPlace.tags(properties).filter { key, _ in !key.hasPrefix("@") }
        let position = GeoJSONGeometry.centre(feature["geometry"])
        guard
            var found = OpenStreetMapPlace.place(id: "", position: position, tags: tags)
        else { return nil }
        let coordinates = feature["geometry"]?["coordinates"] ?? .null
        guard position != nil || coordinates == .null || coordinates == .array([]) else {
            throw .offTheEarth
        }
        found.place.id =
            openStreetMapID(feature, properties)?.placeID
            ?? ownID(feature["id"] ?? properties?["id"])
            ?? derivedID(found.place.name, position)
        return found
    }

    /// The id from `@type` and `@id`, which `osmium export -a type,id` writes, from the same
    /// properties without `@`, or from an id that also names the type.
    private static func openStreetMapID(
        _ feature: JSONValue, _ properties: JSONValue?
    ) -> OpenStreetMapID? {
        for mark in ["@", ""] {
            if let type = properties?[mark + "type"]?.string,
                let id = OpenStreetMapID(type: type, number: number(properties?[mark + "id"]))
            {
                return id
            }
        }
        for text in [feature["id"]?.string, properties?["@id"]?.string] {
            if let id = text.flatMap({ OpenStreetMapID($0) }) { return id }
        }
        return nil
    }

    private static func number(_ value: JSONValue?) -> Int? {
        value?.integer ?? value?.string.flatMap { Int($0) }
    }

    private static func ownID(_ value: JSONValue?) -> String? {
        let text = PlaceText.line(value) ?? value?.integer.map { "\($0)" }
        return text.map { "geojson:\($0)" }
    }

    /// An id for a feature without one (FNV-1a, 64 bits). It depends only on the name and the
    /// position, so that importing a file twice creates no duplicates.
    private static func derivedID(_ name: String, _ position: PlacePosition?) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(name)|\(position?.text ?? "")".utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return "geojson:\(String(hash, radix: 16))"
    }
}

/// Positions of geometries.
enum GeoJSONGeometry {
    /// The centre of the bounding box of a geometry, which is also what Overpass returns as the
    /// centre; nil if the geometry has no position.
    static func centre(_ geometry: JSONValue?) -> PlacePosition? {
        var box = Box()
        box.add(geometry)
        return box.centre
    }

    private struct Box {
        var longitudes: (min: Double, max: Double)?
        var latitudes: (min: Double, max: Double)?
        /// The range of longitudes with the western hemisphere counted from 180 to 360.
        var easternLongitudes: (min: Double, max: Double)?

        /// The recursion is bounded, because the JSON reader limits the nesting.
        mutating func add(_ geometry: JSONValue?) {
            for part in geometry?["geometries"]?.elements ?? [] { add(part) }
            if let coordinates = geometry?["coordinates"] { add(coordinates: coordinates) }
        }

        private mutating func add(coordinates: JSONValue) {
            let elements = coordinates.elements
            guard let longitude = elements.first?.number, elements.count >= 2 else {
                for element in elements { add(coordinates: element) }
                return
            }
            guard
                let position = PlacePosition(latitude: elements[1].number, longitude: longitude)
            else { return }
            latitudes = Self.grown(latitudes, position.latitude)
            longitudes = Self.grown(longitudes, longitude)
            easternLongitudes = Self.grown(
                easternLongitudes, longitude < 0 ? longitude + 360 : longitude)
        }

        private static func grown(
            _ range: (min: Double, max: Double)?, _ value: Double
        ) -> (min: Double, max: Double) {
            guard let range else { return (value, value) }
            return (min(range.min, value), max(range.max, value))
        }

        /// The centre. A geometry wider than half the earth is taken to cross the 180th meridian.
        var centre: PlacePosition? {
            guard let latitudes, let longitudes, let easternLongitudes else { return nil }
            var longitude = (longitudes.min + longitudes.max) / 2
            if longitudes.max - longitudes.min > 180 {
                longitude = (easternLongitudes.min + easternLongitudes.max) / 2
                if longitude > 180 { longitude -= 360 }
            }
            return PlacePosition(
                latitude: (latitudes.min + latitudes.max) / 2, longitude: longitude)
        }
    }
}
