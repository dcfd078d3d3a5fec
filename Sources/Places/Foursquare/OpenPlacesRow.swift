/// One row of Foursquare's open data, FSQ OS Places, as a line of JSON with the columns' names. Of
/// them only id and name can be relied on.
enum OpenPlacesRow {
    /// The most categories of a place that are kept.
    private static let categoriesMax = 20

    /// What a row says, where it has an id.
    static func read(_ row: JSONValue) throws(PlaceFault) -> PlaceFileItem? {
        guard let id = row["fsq_place_id"]?.string.flatMap({ FoursquareID($0) }) else { return nil }
        guard let name = PlaceText.line(row["name"]) else { return .leftOut(.nameless) }
        guard !FoursquarePlace.isClosed(row) else { return .leftOut(.closed) }
        let position = try PlacePosition.given(by: row)
        let categories = categories(row)
        let place = Place(
            id: id.placeID, name: name, latitude: position?.latitude,
            longitude: position?.longitude, categories: categories,
            address: PlaceAddress.line(
                street: PlaceText.line(row["address"]), postcode: PlaceText.line(row["postcode"]),
                locality: PlaceText.line(row["locality"])),
            url: PlaceText.url(row["website"]?.string))
        return .place(ImportedPlace(place: place, categoryIDs: categories.map(\.id)))
    }

    /// Ids and labels are two columns of equal length; a label that is missing costs no id, and is
    /// empty here.
    private static func categories(_ row: JSONValue) -> [Category] {
        let labels = row["fsq_category_labels"]?.elements ?? []
        let ids = row["fsq_category_ids"]?.elements ?? []
        return ids.prefix(categoriesMax).enumerated().compactMap { index, element in
            guard let id = element.string.flatMap({ FoursquareID($0) }) else { return nil }
            let label = index < labels.count ? PlaceText.line(labels[index]) : nil
            return Category(id: id.text, label: label ?? "", v3: nil)
        }
    }
}

/// One line of the shipped sample: a place of OpenStreetMap, made ready.
enum SampleRow {
    /// The place of a line; nil without an id and a name.
    static func place(_ row: JSONValue) throws(PlaceFault) -> ImportedPlace? {
        guard let id = PlaceText.line(row["id"]), let name = PlaceText.line(row["name"]) else {
            return nil
        }
        let position = try PlacePosition.given(by: row)
        let place = Place(
            id: id, name: name, latitude: position?.latitude, longitude: position?.longitude,
            address: PlaceAddress.line(
                street: PlaceText.line(row["address"]), postcode: PlaceText.line(row["postcode"]),
                locality: PlaceText.line(row["locality"])),
            url: PlaceText.url(row["website"]?.string),
            hours: OpenStreetMapPlace.hours(row["opening_hours"]?.string))
        return ImportedPlace(place: place, osmTags: OpenStreetMapPlace.tags(row["osm_tags"]))
    }
}

extension PlacePosition {
    /// Where a row says that it lies; nil where it does not say.
    fileprivate static func given(by row: JSONValue) throws(PlaceFault) -> PlacePosition? {
        let latitude = row["latitude"] ?? .null
        let longitude = row["longitude"] ?? .null
        guard latitude != .null || longitude != .null else { return nil }
        guard
            let position = PlacePosition(latitude: latitude.number, longitude: longitude.number)
        else { throw .offTheEarth }
        return position
    }
}
