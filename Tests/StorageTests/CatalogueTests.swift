import Storage
import TestKit
import Testing
import Timekeeping

@Suite struct CatalogueTests {
    private static let helsinki = GeoBox(south: 60, north: 61, west: 24, east: 25)
    private static let tampere = GeoBox(south: 61, north: 62, west: 23, east: 24)

    private static func place(
        _ name: String, latitude: Double, longitude: Double, category: String
    ) -> CataloguePlace {
        CataloguePlace(
            id: "osm:node/1", name: name, latitude: latitude, longitude: longitude, address: "",
            url: "", hours: "", categories: [category: "Label"], wider: [:])
    }

    @Test func `A place that is imported again is found only by its new data`() async throws {
        try await withTemporaryStore { store in
            let old = Self.place("Blue Café", latitude: 60.5, longitude: 24.5, category: "aa")
            let new = Self.place("Red Museum", latitude: 61.5, longitude: 23.5, category: "bb")
            let now = Moment(seconds: 9)
            let dataset = Dataset(name: "city", attribution: "Surveyors")
            #expect(try await store.importPlaces([old], into: dataset, now: now) == 1)
            let number = try await store.catalogueHits(in: Self.helsinki, categories: [])
                .map(\.number)
            #expect(number.count == 1)
            #expect(try await store.importPlaces([new], into: dataset, now: now) == 0)

            let found = try await store.catalogueHits(
                in: Self.tampere, categories: ["bb"], name: "red")
            #expect(found.map(\.number) == number)
            #expect(try await store.cataloguePlaces(number).places == [new])
            #expect(try await store.attributions(in: Self.tampere) == ["Surveyors"])
            for (box, category, name) in [
                (Self.helsinki, "bb", "red"), (Self.tampere, "aa", "red"),
                (Self.tampere, "bb", "blue"),
            ] {
                let none = try await store.catalogueHits(
                    in: box, categories: [category], name: name)
                #expect(none.isEmpty)
            }
        }
    }
}
