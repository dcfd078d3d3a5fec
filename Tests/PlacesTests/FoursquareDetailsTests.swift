import TestKit
import Testing

@testable import Places

@Suite(.timeLimit(.minutes(5))) struct FoursquareDetailsTests {
    private static let id = "fsq:4d41b8c490f9224b9397121e"

    @Test func `A place is requested by its id, with only the basic fields`() async throws {
        let fixture = try FoursquareFixture([.place(FakeFoursquare.museum)])
        defer { fixture.fake.stop() }
        let answer = try await fixture.source.details(id: Self.id)
        #expect(answer.places.map(\.name) == ["Museum of Invented Things"])
        #expect(answer.places.first?.distanceMeters == nil)
        #expect(answer.attribution == FoursquareSource.attribution)
        let request = try #require(fixture.fake.requests.first)
        #expect(request.path == "/places/4d41b8c490f9224b9397121e")
        #expect(
            request.fields == [
                "fields": "fsq_place_id,name,latitude,longitude,location,categories,date_closed,"
                    + "unresolved_flags"
            ])
        #expect(fixture.fake.faults.isEmpty)
    }

    @Test func `A closed place is returned with a warning`() async throws {
        let fixture = try FoursquareFixture([.place(FakeFoursquare.closed[0])])
        defer { fixture.fake.stop() }
        let answer = try await fixture.source.details(id: Self.id)
        #expect(answer.warnings == ["Foursquare says that this place is closed."])
    }

    @Test func `An id unknown to the service is not found`() async throws {
        let fixture = try FoursquareFixture([.refusal(404, "No such place")])
        defer { fixture.fake.stop() }
        await #expect(throws: PlaceError.notFound(id: Self.id)) {
            try await fixture.source.details(id: Self.id)
        }
    }

    @Test(arguments: ["osm:node/1", "fsq:", "fsq:../search", "fsq:a b", "fsq:a/b", "fsq:é", ""])
    func `An id of another source is not sent`(_ id: String) async throws {
        let fixture = try FoursquareFixture([.place(FakeFoursquare.museum)])
        defer { fixture.fake.stop() }
        await #expect(throws: PlaceError.notFound(id: id)) {
            try await fixture.source.details(id: id)
        }
        #expect(fixture.fake.requests.isEmpty)
    }

    @Test func `An answer without a place is unreadable`() async throws {
        let fixture = try FoursquareFixture([.place("{}")])
        defer { fixture.fake.stop() }
        await #expect(throws: PlaceError.unreadable(.foursquare, "it does not contain a place")) {
            try await fixture.source.details(id: Self.id)
        }
    }
}
