public import Places
import Synchronization

/// The maps of the pages. A map that was drawn is kept, because a meeting's page is opened often.
public final class MapAlbum: Sendable {
    /// A map to draw.
    struct Request: Hashable, Sendable {
        /// The degrees north of the centre.
        let latitude: Double
        /// The degrees east of the centre.
        let longitude: Double
        /// Half the width of the map, in metres.
        let radius: Int
        /// The places to mark.
        let pins: [MapDrawing.Pin]
        /// The description for people who do not see it.
        let label: String
    }

    /// A drawn map.
    struct Drawn: Sendable {
        /// The map as an SVG element.
        let svg: String
        /// The text that must be shown with it; `nil` if it contains no data of others.
        let source: String?
    }

    private struct Shelf {
        var maps: [Request: Drawn] = [:]
        var bytes = 0
    }

    /// The most bytes of all kept maps. When it is reached, all are forgotten.
    private static let bytesMax = 2 * 1024 * 1024
    /// On a map that shows more than this many metres to each side, small things would only make it
    /// heavy.
    private static let detailRadius = 800

    private let atlas: StreetAtlas
    private let shelf = Mutex(Shelf())

    /// Creates an album whose maps show these streets.
    public init(_ atlas: StreetAtlas) { self.atlas = atlas }

    /// A map.
    func map(_ request: Request) -> Drawn {
        if let known = shelf.withLock({ $0.maps[request] }) { return known }
        let drawn = draw(request)
        shelf.withLock { shelf in
            let size = drawn.svg.utf8.count
            if shelf.bytes + size > Self.bytesMax { shelf = Shelf() }
            shelf.bytes += size
            shelf.maps[request] = drawn
        }
        return drawn
    }

    private func draw(_ request: Request) -> Drawn {
        let box = StreetBox(
            latitude: request.latitude, longitude: request.longitude,
            meters: Double(request.radius))
        let ways = atlas.ways(in: box).filter { way in
            request.radius <= Self.detailRadius || [.main, .water, .park].contains(way.kind)
        }
        let drawing = MapDrawing(
            latitude: request.latitude, longitude: request.longitude, radius: request.radius,
            pins: request.pins, ways: ways, label: request.label)
        return Drawn(svg: drawing.svg, source: ways.isEmpty ? nil : atlas.attribution)
    }
}
