import Places
import TestKit
import Testing

@testable import Web

/// Maps that letsmeet draws itself.
@Suite struct MapDrawingTests {
    private static let kiasma = (latitude: 60.17204, longitude: 24.93658)

    private func atlas() throws -> StreetAtlas {
        try StreetAtlas(
            file: Checkout.root + "/Sources/Places/Data/helsinki-sample/streets.txt",
            attribution: "OSM")
    }

    private func drawing(
        radius: Int, ways: [StreetWay]? = nil, name: String = "Kiasma"
    ) throws -> String {
        let (latitude, longitude) = Self.kiasma
        let box = StreetBox(latitude: latitude, longitude: longitude, meters: Double(radius))
        return MapDrawing(
            latitude: latitude, longitude: longitude, radius: radius,
            pins: [.init(mark: "1", name: name, latitude: latitude, longitude: longitude)],
            ways: try ways ?? atlas().ways(in: box), label: name
        ).svg
    }

    @Test(arguments: [(250, 16_000), (400, 32_000), (800, 90_000)])
    func `Streets, buildings and their names are drawn in few bytes`(
        radius: Int, bytesMax: Int
    ) throws {
        let svg = try drawing(radius: radius)
        #expect(svg.utf8.count < bytesMax)
        for text in [
            "Mannerheimintie", "class=\"main\"", "class=\"house\"", "class=\"park\"",
            "class=\"pin\"", "role=\"img\" aria-label=\"Kiasma\"", "<title>Kiasma</title>",
        ] {
            #expect(svg.contains(text), "\(text)")
        }
        #expect(!svg.contains("style=") && !svg.contains("fill=\"#"))
    }

    @Test func `Without streets, distances are drawn`() throws {
        let svg = try drawing(radius: 400, ways: [])
        #expect(svg.contains("class=\"ring\" r=\"100\"") && svg.contains("300 m"))
        #expect(svg.contains("class=\"pin\""))
    }

    @Test func `Names cannot become markup`() throws {
        let name = "</title><script>x</script>\"'&"
        let points = [(2_493_000, 6_017_204), (2_494_500, 6_017_204)].map {
            StreetWay.Point(east: $0.0, north: $0.1)
        }
        let svg = try drawing(
            radius: 400, ways: [StreetWay(.street, named: name, points)], name: name)
        #expect(!svg.contains("<script") && svg.contains("&lt;script"))
        #expect(svg.contains("<textPath"))
    }

    @Test func `A name runs from left to right, and not where the street is too short`() throws {
        func way(_ name: String, from west: Int, to east: Int) -> StreetWay {
            StreetWay(
                .street, named: name,
                [west, east].map { StreetWay.Point(east: $0, north: 6_017_204) })
        }
        let back = try drawing(
            radius: 400, ways: [way("Esplanadi", from: 2_494_200, to: 2_493_200)])
        #expect(back.contains("d=\"M-"))
        let short = try drawing(
            radius: 400, ways: [way("Esplanadi", from: 2_493_600, to: 2_493_650)])
        #expect(!short.contains("<textPath"))
    }

    @Test func `A line is simplified within its tolerance`() {
        let spots = [(0, 0), (10, 1), (20, 0), (30, 9), (40, 0)].map {
            MapProjection.Spot(right: $0.0, down: $0.1)
        }
        #expect(spots.simplified(1.5).map(\.right) == [0, 20, 30, 40])
        #expect(spots.simplified(0).count == 5)
        #expect([MapProjection.Spot]().simplified(1).isEmpty)
    }

    @Test func `A way is written and read in the same form`() throws {
        let way = StreetWay(
            .park, named: "Esplanadin puisto",
            [(1, 2), (3, -4), (1, 2)].map { StreetWay.Point(east: $0.0, north: $0.1) })
        #expect(way.line == "park\tEsplanadin puisto\t1,2 2,-6 -2,6")
        #expect(StreetWay(way.line) == way)
        for line in [
            "", "park", "moat\t\t1,2 3,4", "park\t\t1,2", "park\t\t1 2", "park\t\tx,1 2,2",
        ] {
            #expect(StreetWay(line) == nil, "\(line)")
        }
        let far = "street\t\t99999999999,1 1,1"
        #expect(StreetWay(far) == nil)
    }

    @Test func `A box holds the ways that touch it`() {
        let box = StreetBox(latitude: 60, longitude: 25, meters: 100)
        #expect(abs(box.north - 6_000_090) <= 1 && abs(box.east - 2_500_180) <= 1)
        let corner = StreetWay.Point(east: box.east, north: box.north)
        #expect(box.meets(StreetBox(around: [corner])))
        let beyond = StreetWay.Point(east: box.east + 1, north: box.north)
        #expect(!box.meets(StreetBox(around: [beyond])))
    }
}
