public import Places
import Storage
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
        /// The middle of the shipped streets, if the map shows no others; `nil` if it shows
        /// fetched streets, or none.
        let sampleCenter: (latitude: Double, longitude: Double)?
    }

    private struct Shelf {
        /// The revision of the maps in the database.
        var revision: Int64 = 0
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

    /// Creates an album whose maps show the maps in the database, and these streets elsewhere.
    public init(_ atlas: StreetAtlas) { self.atlas = atlas }

    /// A map.
    ///
    /// - Throws: `StoreError`.
    func map(_ request: Request, _ store: Store) async throws -> Drawn {
        let revision = try await store.mapRevision()
        let known = shelf.withLock { shelf in
            if shelf.revision != revision { shelf = Shelf(revision: revision) }
            return shelf.maps[request]
        }
        if let known { return known }
        let drawn = try await draw(request, store)
        shelf.withLock { shelf in
            guard shelf.revision == revision else { return }
            let size = drawn.svg.utf8.count
            if shelf.bytes + size > Self.bytesMax { shelf = Shelf(revision: revision) }
            shelf.bytes += size
            shelf.maps[request] = drawn
        }
        return drawn
    }

    private func draw(_ request: Request, _ store: Store) async throws -> Drawn {
        let box = StreetBox(
            latitude: request.latitude, longitude: request.longitude,
            meters: Double(request.radius))
        let (all, source, isSample) = try await ways(in: box, store)
        let ways = all.filter { way in
            request.radius <= Self.detailRadius || [.main, .water, .park].contains(way.kind)
        }
        let drawing = MapDrawing(
            latitude: request.latitude, longitude: request.longitude, radius: request.radius,
            pins: request.pins, ways: ways, label: request.label)
        return Drawn(
            svg: drawing.svg, source: ways.isEmpty ? nil : source,
            sampleCenter: isSample ? Self.center(of: ways) : nil)
    }

    /// The middle of the rectangle around ways; `nil` without ways.
    private static func center(of ways: [StreetWay]) -> (latitude: Double, longitude: Double)? {
        guard !ways.isEmpty else { return nil }
        let box = StreetBox(around: ways.flatMap(\.points))
        return (
            Double(box.south + box.north) / 2 / StreetWay.unitsPerDegree,
            Double(box.west + box.east) / 2 / StreetWay.unitsPerDegree
        )
    }

    /// The ways in a part of the world, their source, and whether they are the shipped ones.
    private func ways(
        in box: StreetBox, _ store: Store
    ) async throws -> (ways: [StreetWay], source: String, isSample: Bool) {
        let fetched = try await store.mapWays(in: box.grid)
        // A damaged map must not take the page with it.
        let ways = (try? StreetSquare.ways(of: fetched.packs)) ?? []
        let near = ways.filter { StreetBox(around: $0.points).meets(box) }
        return near.isEmpty
            ? (atlas.ways(in: box), atlas.attribution, true)
            : (near, fetched.attributions.joined(separator: "; "), false)
    }
}
