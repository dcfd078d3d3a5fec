/// One page of an answer of the Places API. Any field may be missing or have an unexpected type;
/// unreadable values are ignored.
struct FoursquarePage: Equatable {
    /// The places that are not closed, in the order of the answer.
    var places: [Place] = []
    /// The number of places without an id or a name.
    var namelessCount = 0

    /// Reads the body of a search; nil if it is not an answer to a search.
    init?(_ body: JSONValue, around position: PlacePosition) {
        guard case .array(let results)? = body["results"] else { return nil }
        for result in results {
            guard let found = FoursquarePlace(result) else {
                namelessCount += 1
                continue
            }
            guard !found.isClosed else { continue }
            places.append(found.place(seenFrom: position, distance: result["distance"]))
        }
    }
}

/// One place of an answer.
struct FoursquarePlace: Equatable {
    /// The most categories to keep for a place.
    private static let categoriesMax = 20
    /// Reports by users that mean that people cannot meet at a place.
    private static let closingFlags: Set<String> = [
        "closed", "delete", "doesnt_exist", "privatevenue",
    ]

    /// The place, without a distance.
    let place: Place
    /// True if the place is permanently closed, does not exist or is private.
    let isClosed: Bool

    /// Reads a place; nil if it has no id or no name.
    init?(_ value: JSONValue) {
        guard let id = value["fsq_place_id"]?.string.flatMap({ FoursquareID($0) }),
            let name = PlaceText.line(value["name"])
        else { return nil }
        let position = PlacePosition(
            latitude: value["latitude"]?.number, longitude: value["longitude"]?.number)
        place = Place(
            id: id.placeID, name: name, latitude: position?.latitude,
            longitude: position?.longitude, categories: Self.categories(value["categories"]),
            address: Self.address(value["location"]), url: id.page)
        isClosed = Self.isClosed(value)
    }

    /// The place with the distance from the answer, or else with the distance computed from its
    /// position. A place without a position has no distance.
    func place(seenFrom position: PlacePosition, distance: JSONValue?) -> Place {
        var place = place
        guard let own = PlacePosition(latitude: place.latitude, longitude: place.longitude) else {
            return place
        }
        if let given = distance?.number, (0...PlacePosition.metersMax).contains(given) {
            place.distanceMeters = Int(given.rounded())
        } else {
            place.distanceMeters = position.meters(to: own)
        }
        return place
    }

    static func isClosed(_ value: JSONValue) -> Bool {
        if let date = value["date_closed"]?.string, !date.isEmpty { return true }
        return value["unresolved_flags"]?.elements.contains { flag in
            flag.string.map { closingFlags.contains($0.lowercased()) } ?? false
        } ?? false
    }

    private static func categories(_ value: JSONValue?) -> [Category] {
        (value?.elements ?? []).prefix(categoriesMax).compactMap { element in
            guard let id = element["fsq_category_id"]?.string.flatMap({ FoursquareID($0) }),
                let name = PlaceText.line(element["name"])
            else { return nil }
            return Category(id: id.text, label: name, v3: nil)
        }
    }

    private static func address(_ location: JSONValue?) -> String {
        PlaceText.line(location?["formatted_address"])
            ?? PlaceAddress.line(
                street: PlaceText.line(location?["address"]),
                postcode: PlaceText.line(location?["postcode"]),
                locality: PlaceText.line(location?["locality"]))
    }
}
