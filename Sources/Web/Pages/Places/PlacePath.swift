import Planning

/// The part of an address that names a place. Ids of OpenStreetMap have a slash, which proxies may
/// change, so `osm:node/12` is written `osm-node-12`.
enum PlacePath {
    /// The last part of the address of a place.
    static func of(_ id: String) -> String {
        guard let parts = id.wholeMatch(of: /osm:([a-z]+)\/([0-9]+)/) else {
            return Link.segment(id)
        }
        return "osm-\(parts.1)-\(parts.2)"
    }

    /// The id of a place from the part of an address, decoded.
    static func id(_ part: String) -> String {
        guard let parts = part.wholeMatch(of: /osm-([a-z]+)-([0-9]+)/) else { return part }
        return "osm:\(parts.1)/\(parts.2)"
    }
}

extension PlaceView {
    /// The position with five decimal places, which is about a metre.
    var spot: (north: String, east: String)? {
        guard let latitude, let longitude else { return nil }
        return (GeoDigits.text(latitude), GeoDigits.text(longitude))
    }
}

/// Degrees as text.
enum GeoDigits {
    /// Degrees with at most five decimal places, which is about a metre.
    static func text(_ degrees: Double) -> String {
        "\((degrees * 100_000).rounded() / 100_000)"
    }
}
