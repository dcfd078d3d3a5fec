/// The type and id of an OpenStreetMap element. They are the same in every copy of the data.
struct OpenStreetMapID: Hashable {
    static let types = ["node", "way", "relation"]

    /// The id of the place, such as `osm:node/123`.
    let placeID: String

    /// Creates an id; nil for an unknown type or a number below 1.
    init?(type: String, number: Int?) {
        guard Self.types.contains(type), let number, number > 0 else { return nil }
        placeID = "osm:\(type)/\(number)"
    }

    /// Parses `node/123`, and the ids that osmium writes: `n123`, `w12`, `r7`, and `a24` for an
    /// area. The number of an area is twice that of its way, or twice that of its relation plus
    /// one.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2 {
            self.init(type: String(parts[0]), number: Int(parts[1]))
            return
        }
        let number = Int(text.dropFirst())
        switch text.first {
        case "n": self.init(type: "node", number: number)
        case "w": self.init(type: "way", number: number)
        case "r": self.init(type: "relation", number: number)
        case "a":
            let isWay = number?.isMultiple(of: 2) ?? true
            self.init(type: isWay ? "way" : "relation", number: number.map { $0 / 2 })
        default: return nil
        }
    }
}

/// Converts the tags of OpenStreetMap to places.
enum OpenStreetMapPlace {
    /// The most tags to keep for a place.
    static let tagsMax = 100
    /// Parts of keys whose values are contact details. Such tags are never kept.
    private static let personalParts: Set<String> = [
        "contact", "email", "fax", "mobile", "phone", "whatsapp",
    ]

    /// The place that the tags describe; nil if it has no name.
    static func place(
        id: String, position: PlacePosition?, tags: [String: String]
    ) -> ImportedPlace? {
        let name = PlaceText.line(tags["name"] ?? "")
        guard !name.isEmpty else { return nil }
        let place = Place(
            id: id, name: name, latitude: position?.latitude, longitude: position?.longitude,
            address: address(tags),
            url: PlaceText.url(tags["website"]) ?? PlaceText.url(tags["contact:website"])
                ?? PlaceText.url(tags["url"]),
            hours: hours(tags["opening_hours"]))
        return ImportedPlace(place: place, osmTags: withoutPersonal(tags))
    }

    /// The fields of an object that are strings.
    static func tags(_ value: JSONValue?) -> [String: String] {
        (value?.fields ?? [:]).compactMapValues(\.string)
    }

    static func hours(_ text: String?) -> String? {
        let line = PlaceText.line(text ?? "")
        return line.isEmpty ? nil : line
    }

    private static func address(_ tags: [String: String]) -> String {
        let street = [tags["addr:street"] ?? tags["addr:place"], tags["addr:housenumber"]]
        let line = PlaceAddress.line(
            street: street.compactMap(\.self).joined(separator: " "),
            postcode: tags["addr:postcode"], locality: tags["addr:city"])
        return PlaceText.line(line.isEmpty ? tags["address"] ?? "" : line)
    }

    private static func withoutPersonal(_ tags: [String: String]) -> [String: String] {
        let kept = tags.filter { key, _ in
            !key.split(separator: ":").contains { personalParts.contains($0.lowercased()) }
        }
        guard kept.count > tagsMax else { return kept }
        let first = kept.sorted { $0.key < $1.key }.prefix(tagsMax)
        return Dictionary(uniqueKeysWithValues: first.map { ($0.key, $0.value) })
    }
}
