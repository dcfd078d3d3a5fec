import Storage
import TestKit
import Testing
import Transport

@testable import Places

/// Maps from an Overpass server, and how they are kept.
@Suite(.timeLimit(.minutes(5))) struct OverpassMapTests {
    private static let tampere = MapArea.Spot(latitude: 61.4991, longitude: 23.7871)

    private func fetch(
        _ elements: [String], venues: [MapArea.Spot] = [], radius: Int = 3000
    ) async throws -> (map: OverpassMap, query: String) {
        let fake = try FakeOverpass(.elements(elements))
        defer { fake.stop() }
        let client = try HTTPClient(userAgent: "letsmeet/1.2 (self-hosted meeting planner)")
        let map = try await OverpassClient(client: client, server: fake.url).map(
            of: MapArea(center: Self.tampere, radiusMeters: radius, venues: venues))
        return (map, try #require(fake.requests.first?.fields["data"]))
    }

    private static func way(_ tags: String, _ points: [(Double, Double)], id: Int = 1) -> String {
        #"{"type":"way","id":\#(id),"tags":{\#(tags)},"geometry":[\#(geometry(points))]}"#
    }

    private static func geometry(_ points: [(Double, Double)]) -> String {
        points.map { #"{"lat":\#($0.0),"lon":\#($0.1)}"# }.joined(separator: ",")
    }

    private static let square = [(61.5, 23.7), (61.5, 23.71), (61.51, 23.71), (61.5, 23.7)]

    @Test func `The query asks for streets near the centre and for buildings near venues`()
        async throws
    {
        let venue = MapArea.Spot(latitude: 61.52, longitude: 23.8)
        let query = try await fetch([], venues: [venue], radius: 8000).query
        #expect(query.hasPrefix("[out:json][timeout:60];\n(\n"))
        #expect(query.hasSuffix(");\nout geom 60000;"))
        for line in [
            #"way["natural"="water"](around:8000,61.4991,23.7871);"#,
            #"relation["natural"="water"](around:8000,61.4991,23.7871);"#,
            #"way["highway"](around:3000,61.4991,23.7871);"#,
            #"way["building"](around:1000,61.4991,23.7871);"#,
            #"way["building"](around:1000,61.52,23.8);"#,
            #"way["highway"](around:1000,61.52,23.8);"#,
        ] {
            #expect(query.contains(line), "\(line)")
        }
    }

    @Test func `No radius in the query is larger than the fetched one`() async throws {
        let query = try await fetch([], radius: 500).query
        #expect(query.contains("(around:500,") && !query.contains("(around:1000,"))
    }

    @Test(arguments: [
        (#""highway":"primary","name":"Hämeenkatu""#, StreetWay.Kind.main, "Hämeenkatu"),
        (#""highway":"residential","name":"A\tB\nC""#, .street, "A B C"),
        (#""highway":"steps""#, .path, ""), (#""railway":"tram","name":"Line 1""#, .rail, ""),
        (#""highway":"service","construction":"yes""#, .street, ""),
    ])
    func `A line has the kind of its tags`(
        tags: String, kind: StreetWay.Kind, name: String
    ) async throws {
        let ways = try await fetch([Self.way(tags, [(61.5, 23.7), (61.5, 23.71)])]).map.ways
        #expect(
            ways == [
                StreetWay(
                    kind, named: name,
                    [
                        .init(east: 2_370_000, north: 6_150_000),
                        .init(east: 2_371_000, north: 6_150_000),
                    ])
            ])
    }

    @Test(arguments: [
        #""highway":"proposed""#, #""highway":"primary","tunnel":"yes""#, #""amenity":"cafe""#,
        #""railway":"abandoned""#,
    ])
    func `What maps do not show is left out`(tags: String) async throws {
        #expect(try await fetch([Self.way(tags, Self.square)]).map.ways.isEmpty)
    }

    @Test func `Areas are closed, and an element that comes twice counts once`() async throws {
        let open = Self.way(#""building":"yes""#, Array(Self.square.dropLast()), id: 1)
        let house = Self.way(#""building":"yes","name":"Hall""#, Self.square, id: 2)
        let park = Self.way(#""leisure":"park","name":"Koskipuisto""#, Self.square, id: 3)
        let ways = try await fetch([open, house, house, park]).map.ways
        #expect(ways.map(\.kind) == [.house, .park])
        #expect(ways.map(\.name) == ["", "Koskipuisto"])
    }

    @Test func `The outline of a lake is joined from its parts, without its islands`() async throws
    {
        let parts = [
            Self.geometry([(61.5, 23.7), (61.5, 23.71)]),
            Self.geometry([(61.51, 23.7), (61.5, 23.7)]),
            Self.geometry([(61.5, 23.71), (61.51, 23.71), (61.51, 23.7)]),
        ].map { #"{"type":"way","role":"outer","geometry":[\#($0)]}"# }
        let island = #"{"type":"way","role":"inner","geometry":[\#(Self.geometry(Self.square))]}"#
        let lake =
            #"{"type":"relation","id":9,"tags":{"natural":"water","name":"Näsijärvi"},"#
            + #""members":["# + (parts + [island]).joined(separator: ",") + "]}"
        let ways = try await fetch([lake]).map.ways
        #expect(ways.count == 1)
        let points = try #require(ways.first?.points)
        #expect(points.count == 5 && points.first == points.last && Set(points).count == 4)
    }

    @Test(arguments: [
        "7", "null", #"{"type":"way","id":1}"#, #"{"type":"way","tags":{"highway":"primary"}}"#,
        #"{"type":"way","tags":{"highway":"primary"},"geometry":[null,null]}"#,
        #"{"type":"way","tags":{"highway":7},"geometry":[{"lat":91,"lon":0},{"lat":0,"lon":0}]}"#,
        #"{"type":"way","tags":{"highway":"path"},"geometry":[{"lat":1e99,"lon":0},{"lat":0}]}"#,
        #"{"type":"relation","tags":{"natural":"water"},"members":[{"type":"way"}]}"#,
        #"{"type":"relation","tags":{"natural":"water"},"members":7}"#,
    ])
    func `Damaged elements are left out`(element: String) async throws {
        let street = Self.way(#""highway":"primary""#, [(61.5, 23.7), (61.5, 23.71)])
        #expect(try await fetch([element, street]).map.ways.map(\.kind) == [.main])
    }

    @Test func `A gap in a line makes two lines`() async throws {
        let points = Self.geometry([(61.5, 23.7), (61.5, 23.71)])
        let way =
            #"{"type":"way","tags":{"highway":"primary"},"geometry":[\#(points),null,\#(points)]}"#
        let ways = try await fetch([way.replacing("23.71}", with: "23.72}")]).map.ways
        #expect(ways.count == 1)
    }

    @Test(arguments: [
        #"{"elements":[{"type":"way"},"#, #"{"elements":[1,2]}x"#, "[]", #"{"elements":7}"#, "{}",
    ])
    func `An answer that is cut off or of another form is no map`(body: String) async throws {
        let fake = try FakeOverpass(.raw(.json(body)))
        defer { fake.stop() }
        let client = try HTTPClient(userAgent: "letsmeet/1.2 (self-hosted meeting planner)")
        await #expect(throws: PlaceError.self) {
            try await OverpassClient(client: client, server: fake.url).map(
                of: MapArea(center: Self.tampere, radiusMeters: 3000, venues: []))
        }
    }

    @Test func `An answer that stopped early is no map`() async throws {
        let fake = try FakeOverpass(.remark("runtime error: timed out", elements: []))
        defer { fake.stop() }
        let client = try HTTPClient(userAgent: "letsmeet/1.2 (self-hosted meeting planner)")
        await #expect(throws: PlaceError.self) {
            try await OverpassClient(client: client, server: fake.url).map(
                of: MapArea(center: Self.tampere, radiusMeters: 3000, venues: []))
        }
    }

    // MARK: Squares

    private static func way(
        _ kind: StreetWay.Kind, _ name: String = "", _ points: (Int, Int)...
    ) -> StreetWay {
        StreetWay(kind, named: name, points.map { StreetWay.Point(east: $0.0, north: $0.1) })
    }

    @Test func `Ways come back from the packed squares that they meet`() throws {
        let street = Self.way(
            .main, "Hämeenkatu", (2_370_500, 6_150_500), (2_372_500, 6_150_500))
        let path = Self.way(.path, "", (2_369_500, 6_149_500), (2_369_999, 6_149_999))
        let far = Self.way(.street, "", (2_500_000, 6_000_000), (2_500_001, 6_000_001))
        let region = StreetBox(latitude: 61.5, longitude: 23.7, meters: 3000)
        let map = try StreetSquare.packed([street, path, far], of: region)
        #expect(
            map.squares.map { [$0.row, $0.column] } == [
                [6149, 2369], [6150, 2370], [6150, 2371], [6150, 2372],
            ])
        #expect(map.part == region.grid)
        let packs = map.squares.map(\.ways) + [map.wide]
        #expect(Set(try StreetSquare.ways(of: packs)) == [street, path])
        #expect(try StreetSquare.ways(of: [map.squares[2].ways]) == [street])
    }

    @Test func `The outline of a lake is kept once for the whole map`() throws {
        let lake = Self.way(
            .water, "Näsijärvi", (2_300_000, 6_100_000), (2_400_000, 6_200_000),
            (2_300_000, 6_200_000), (2_300_000, 6_100_000))
        let region = StreetBox(latitude: 61.5, longitude: 23.7, meters: 5000)
        let map = try StreetSquare.packed([lake], of: region)
        #expect(map.squares.isEmpty)
        #expect(try StreetSquare.ways(of: [map.wide]) == [lake])
    }

    @Test(
        arguments: [[], [1, 0, 0, 0], [255, 255, 255, 255, 1], [5, 0, 0, 0, 1, 2, 3]] as [[UInt8]])
    func `Damaged squares are refused`(octets: [UInt8]) {
        #expect(throws: Zlib.Failure.damaged) { try StreetSquare.ways(of: [octets]) }
    }

    @Test(arguments: ["", "a", String(repeating: "street", count: 10_000)])
    func `Packed bytes come back`(text: String) throws {
        let packed = try Zlib.packed(text.utf8)
        #expect(try Zlib.unpacked(packed) == Array(text.utf8))
        #expect(text.count < 100 || packed.count < text.utf8.count / 50)
    }
}
