import TestKit
import Testing
import Transport

@testable import Places

@Suite(.timeLimit(.minutes(5))) struct FoursquareSearchTests {
    @Test func `A search sends position, categories, fields, key and version`() async throws {
        let fixture = try FoursquareFixture([.places([])])
        defer { fixture.fake.stop() }
        var query = FoursquareFixture.query(limit: 20)
        query.text = "art & design"
        _ = try await fixture.source.search(query)
        let request = try #require(fixture.fake.requests.first)
        #expect(fixture.fake.faults.isEmpty)
        #expect(request.path == "/places/search")
        #expect(
            request.fields == [
                "ll": "60.1699,24.9384", "radius": "3000", "limit": "20", "sort": "DISTANCE",
                "fsq_category_ids": "4bf58dd8d48988d181941735", "query": "art & design",
                "fields": "fsq_place_id,name,latitude,longitude,location,categories,date_closed,"
                    + "unresolved_flags,distance",
            ])
        #expect(request.headers["authorization"] == "Bearer \(FakeFoursquare.key)")
        #expect(request.headers["x-places-api-version"] == "2025-06-17")
        #expect(request.headers["accept"] == "application/json")
        #expect(request.headers["user-agent"] == "letsmeet/test")
    }

    @Test(arguments: [(91.0, 0.0), (0, 181), (.nan, 0), (0, .infinity)])
    func `Nothing is sent for an invalid position`(
        _ latitude: Double, _ longitude: Double
    ) async throws {
        let fixture = try FoursquareFixture([.places([])])
        defer { fixture.fake.stop() }
        let query = PlaceQuery(latitude: latitude, longitude: longitude)
        let error = await #expect(throws: PlaceError.self) {
            try await fixture.source.search(query)
        }
        guard case .badQuery = error else {
            Issue.record("refused as \(String(describing: error))")
            return
        }
        #expect(fixture.fake.requests.isEmpty)
    }

    @Test func `A full place and a minimal place are read`() async throws {
        let fixture = try FoursquareFixture([
            .places([FakeFoursquare.bare, FakeFoursquare.museum])
        ])
        defer { fixture.fake.stop() }
        let answer = try await fixture.search()
        let museum = Place(
            id: "fsq:\(FakeFoursquare.id(0xA1))", name: "Museum of Invented Things",
            latitude: 60.1712, longitude: 24.9414,
            categories: [Category(id: "4bf58dd8d48988d181941735", label: "Museum", v3: nil)],
            address: "Keksitty katu 3 (2nd floor), 00100 Helsinki",
            url: "https://foursquare.com/v/\(FakeFoursquare.id(0xA1))", distanceMeters: 153)
        let bare = Place(
            id: "fsq:\(FakeFoursquare.id(0xA2))", name: "Bare Place",
            url: "https://foursquare.com/v/\(FakeFoursquare.id(0xA2))")
        #expect(
            answer
                == PlaceAnswer(
                    places: [museum, bare], attribution: FoursquareSource.attribution))
    }

    @Test func `Places are sorted by given or computed distance`() async throws {
        let fixture = try FoursquareFixture([
            .places([
                FakeFoursquare.bare,
                FakeFoursquare.place(1, "Far", latitude: "60.19"),
                FakeFoursquare.place(2, "Near", latitude: "60.1701", longitude: "24.9385"),
                FakeFoursquare.place(3, "Middle", more: #","distance":500.4"#),
                FakeFoursquare.place(4, "Odd", latitude: "60.1735", more: #","distance":"x""#),
            ])
        ])
        defer { fixture.fake.stop() }
        let places = try await fixture.search().places
        #expect(places.map(\.name) == ["Near", "Odd", "Middle", "Far", "Bare Place"])
        #expect(places.map(\.distanceMeters) == [23, 410, 500, 2237, nil])
    }

    @Test func `Closed and private places are left out`() async throws {
        let fixture = try FoursquareFixture([
            .places(FakeFoursquare.closed + [FakeFoursquare.museum])
        ])
        defer { fixture.fake.stop() }
        let answer = try await fixture.search()
        #expect(answer.places.map(\.name) == ["Museum of Invented Things"])
        #expect(answer.warnings.isEmpty)
    }

    @Test func `Places without an id or a name are left out with a warning`() async throws {
        let fixture = try FoursquareFixture([
            .places(FakeFoursquare.nameless + [FakeFoursquare.museum])
        ])
        defer { fixture.fake.stop() }
        let answer = try await fixture.search()
        #expect(answer.places.count == 1)
        #expect(answer.warnings == ["Left out 7 places without an id or a name."])
    }

    @Test func `A place with an invalid position is kept without it`() async throws {
        let fixture = try FoursquareFixture([.places(FakeFoursquare.misplaced)])
        defer { fixture.fake.stop() }
        let places = try await fixture.search().places
        #expect(places.map(\.name) == ["Text", "Objects", "Off The Earth", "Half"])
        #expect(places.allSatisfy { $0.latitude == nil && $0.longitude == nil })
        #expect(places.allSatisfy { $0.distanceMeters == nil })
    }

    @Test func `Names and addresses are cleaned of controls and direction marks`() async throws {
        let fixture = try FoursquareFixture([.places([FakeFoursquare.hostile])])
        defer { fixture.fake.stop() }
        let place = try #require(try await fixture.search().places.first)
        #expect(place.name == "Bad [2J Subject: you won Place")
        #expect(place.address == "A B C")
    }

    @Test func `A slow answer is accepted`() async throws {
        let fixture = try FoursquareFixture([.slow])
        defer { fixture.fake.stop() }
        #expect(try await fixture.search().places.count == 1)
    }
}
