/// One row of Foursquare's open data, FSQ OS Places, as a JSON object with the column names. Only
/// the id and the name can be relied on.
enum OpenPlacesRow {
    /// The most categories to keep for a place.
    private static let categoriesMax = 20

    /// The content of a row; nil if it has no id.
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

    /// The categories of a row. Ids and labels are two columns of equal length. An id without a
    /// label is kept with an empty label.
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

/// One line of the bundled sample: a place of OpenStreetMap that is already converted.
enum SampleRow {
    /// The place of a line; nil if it has no id or no name.
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
    /// The position in a row; nil if it has none.
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
