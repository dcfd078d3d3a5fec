import Places
import Planning

/// A part of the world as a map shows it, by which a search can be limited.
struct MapSection: Equatable, Sendable {
    /// The smallest and the largest half width, in metres.
    static let radii = 200...20_000
    /// Half the height of a map, as a part of half its width.
    private static let height = 0.7

    let latitude: Double
    let longitude: Double
    /// Half the width, in metres.
    let radius: Int

    /// A section around a position; the half width is brought into ``radii``.
    init(latitude: Double, longitude: Double, radius: Int) {
        self.latitude = latitude
        self.longitude = longitude
        self.radius = min(max(radius, Self.radii.lowerBound), Self.radii.upperBound)
    }

    /// Reads a section from an address, such as `60.17,24.94,800`; `nil` for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3, let point = GeoPoint(parts.prefix(2).joined(separator: ",")),
            let radius = Int(parts[2])
        else { return nil }
        self.init(latitude: point.latitude, longitude: point.longitude, radius: radius)
    }

    /// The section as an address contains it.
    var text: String { "\(position),\(radius)" }

    /// The middle, as searches take it.
    var position: String { "\(GeoDigits.text(latitude)),\(GeoDigits.text(longitude))" }

    private var projection: MapProjection {
        MapProjection(latitude: latitude, longitude: longitude)
    }

    private var halfHeight: Int { Int(Double(radius) * Self.height) }

    /// The distance of the corners from the middle, in metres, rounded up.
    var reachMeters: Int {
        Int((Double(radius) * (1 + Self.height * Self.height).squareRoot()).rounded(.up))
    }

    /// True if a position is in the section.
    func contains(latitude: Double, longitude: Double) -> Bool {
        let spot = projection.spot(latitude: latitude, longitude: longitude)
        return abs(spot.right) <= radius && abs(spot.down) <= halfHeight
    }

    /// The section beside this one, which shares half of it.
    ///
    /// - Parameters:
    ///   - right: 1 to the east, -1 to the west.
    ///   - down: 1 to the south, -1 to the north.
    /// - Returns: the section.
    func moved(right: Int = 0, down: Int = 0) -> MapSection {
        let middle = projection.position(
            of: MapProjection.Spot(right: right * radius, down: down * halfHeight))
        return MapSection(latitude: middle.latitude, longitude: middle.longitude, radius: radius)
    }

    /// The section with the same middle and half the width, or twice the width.
    func zoomed(isCloser: Bool) -> MapSection {
        MapSection(
            latitude: latitude, longitude: longitude,
            radius: isCloser ? radius / 2 : radius * 2)
    }
}
