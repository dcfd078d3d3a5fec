import Places
import Planning
import Wording

/// A map on a page, with the links that change its scale and the source of its data.
struct MapBox: Sendable {
    /// The variables of the part of the template.
    static let names = ["mapDrawing", "mapSource"]
    static let lists = ["mapScales": ["scale", "scaleQuery", "isCurrent"]]

    /// Half the width of a map in metres: the scales that people can choose.
    static let radii = [250, 400, 800]

    private let drawing: MapDrawing
    private let radius: Int
    private let attribution: String?
    /// The query of the page without the scale, such as "date=…".
    private let query: [(name: String, value: String)]

    /// A map around one place.
    init(
        around pin: MapDrawing.Pin, radius wanted: String, atlas: StreetAtlas, _ words: PageWords,
        query: [(name: String, value: String)] = []
    ) {
        radius = Int(wanted).flatMap { Self.radii.contains($0) ? $0 : nil } ?? Self.radii[0]
        self.query = query
        let ways = atlas.ways(
            in: StreetBox(
                latitude: pin.latitude, longitude: pin.longitude, meters: Double(radius)))
        attribution = ways.isEmpty ? nil : atlas.attribution
        drawing = MapDrawing(
            latitude: pin.latitude, longitude: pin.longitude, radius: radius, pins: [pin],
            ways: ways, label: words("Map: %name%", ["name": pin.name]))
    }

    /// A map of several places; `nil` without any.
    init?(of pins: [MapDrawing.Pin], atlas: StreetAtlas, _ words: PageWords) {
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
        let radius = min(max(needed * 6 / 5, Self.radii[0]), Self.radiusMax)
        let box = StreetBox(
            latitude: middle.latitude, longitude: middle.longitude, meters: Double(radius))
        // On a large map, small things would only make it heavy.
        let ways = atlas.ways(in: box).filter { way in
            radius <= Self.radii[2] || way.kind == .main || way.kind == .water || way.kind == .park
        }
        self.radius = radius
        query = []
        attribution = ways.isEmpty ? nil : atlas.attribution
        drawing = MapDrawing(
            latitude: middle.latitude, longitude: middle.longitude, radius: radius, pins: pins,
            ways: ways, label: words(pins.count, "Map of 1 place", "Map of %n% places"))
    }

    private static let radiusMax = 20_000

    func values(_ words: PageWords) -> TemplateValues {
        let rest = query.map { "&\($0.name)=\(Link.segment($0.value))" }.joined()
        var values: TemplateValues = [
            "mapDrawing": .html(drawing.svg),
            "mapScales": .list(
                Self.radii.map { radius in
                    [
                        "scale": .text(words("%n% m", ["n": "\(radius)"])),
                        "scaleQuery": .text("?map=\(radius)\(rest)"),
                        "isCurrent": .flag(radius == self.radius),
                    ]
                }),
        ]
        values[text: "mapSource"] = attribution
        return values
    }
}
