import Planning
import Storage
import Wording

/// A map on a page, with the links that change its scale and the source of its data.
struct MapBox: Sendable {
    /// The variables of the part of the template.
    static let names = ["mapDrawing", "mapSource", "mapCenter", "mapRadius", "mapPins"]
    static let lists = ["mapScales": ["scale", "scaleQuery", "isCurrent"]]

    /// Half the width of a map in metres: the scales that people can choose.
    static let radii = [250, 400, 800]

    private let map: MapAlbum.Drawn
    private let center: MapProjection
    private let pins: [MapDrawing.Pin]
    private let radius: Int
    /// The query of the page without the scale, such as "date=…".
    private let query: [(name: String, value: String)]

    /// A map around one place.
    init(
        around pin: MapDrawing.Pin, radius wanted: String, in album: MapAlbum, _ store: Store,
        _ words: PageWords, query: [(name: String, value: String)] = []
    ) async throws {
        radius = Int(wanted).flatMap { Self.radii.contains($0) ? $0 : nil } ?? Self.radii[0]
        self.query = query
        center = MapProjection(latitude: pin.latitude, longitude: pin.longitude)
        pins = [pin]
        map = try await album.map(
            MapAlbum.Request(
                latitude: pin.latitude, longitude: pin.longitude, radius: radius, pins: [pin],
                label: words("Map: %name%", ["name": pin.name])), store)
    }

    /// A map of several places; `nil` without any.
    init?(
        of pins: [MapDrawing.Pin], in album: MapAlbum, _ store: Store, _ words: PageWords
    ) async throws {
        guard let first = pins.first else { return nil }
        let (north, south) = (
            pins.map(\.latitude).max() ?? first.latitude,
            pins.map(\.latitude).min() ?? first.latitude
        )
        let (east, west) = (
            pins.map(\.longitude).max() ?? first.longitude,
            pins.map(\.longitude).min() ?? first.longitude
        )
        let middle = MapProjection(
            latitude: (north + south) / 2, longitude: (east + west) / 2)
        let corner = middle.spot(latitude: south, longitude: east)
        let needed = max(corner.right, corner.down * 10 / 7)
        radius = min(max(needed * 6 / 5, Self.radii[0]), Self.radiusMax)
        query = []
        center = middle
        self.pins = pins
        map = try await album.map(
            MapAlbum.Request(
                latitude: middle.latitude, longitude: middle.longitude, radius: radius, pins: pins,
                label: words(pins.count, "Map of 1 place", "Map of %n% places")), store)
    }

    /// A map of a part of the world, with the places that were found there.
    init(
        _ section: MapSection, _ pins: [MapDrawing.Pin], in album: MapAlbum, _ store: Store,
        _ words: PageWords
    ) async throws {
        radius = section.radius
        query = []
        center = MapProjection(latitude: section.latitude, longitude: section.longitude)
        self.pins = pins
        map = try await album.map(
            MapAlbum.Request(
                latitude: section.latitude, longitude: section.longitude, radius: radius,
                pins: pins, label: words(pins.count, "Map of 1 place", "Map of %n% places")),
            store)
    }

    /// The part of the world that the map shows.
    var section: MapSection {
        MapSection(latitude: center.latitude, longitude: center.longitude, radius: radius)
    }

    private static let radiusMax = MapSection.radii.upperBound

    func values(_ words: PageWords) -> TemplateValues {
        let rest = query.map { "&\($0.name)=\(Link.segment($0.value))" }.joined()
        var values: TemplateValues = [
            "mapDrawing": .html(map.svg),
            "mapScales": .list(
                Self.radii.map { radius in
                    [
                        "scale": .text(words("%n% m", ["n": "\(radius)"])),
                        "scaleQuery": .text("?map=\(radius)\(rest)"),
                        "isCurrent": .flag(radius == self.radius),
                    ]
                }),
        ]
        values[text: "mapSource"] = map.source
        values["mapCenter"] = .text("\(center.latitude) \(center.longitude)")
        values["mapRadius"] = .text("\(radius)")
        values["mapPins"] = .text(
            pins.map { "\($0.latitude) \($0.longitude) \($0.mark) \($0.name)" }
                .joined(separator: "\n"))
        return values
    }
}
