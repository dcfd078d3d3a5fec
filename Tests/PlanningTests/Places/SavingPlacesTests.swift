import Agenda
import Foundation
import Planning
import Settings
import TestKit
import Testing

/// Tests of saved places and of the places in the catalogue.
@Suite(.timeLimit(.minutes(5))) struct SavingPlacesTests {
    private static let cafe = "osm:node/1007416273"

    @Test(arguments: [nil, "The library"])
    func `A place that is saved twice exists once and keeps its name`(
        _ second: String?
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let first = try await planner.savePlace(Self.cafe, name: "Corner")
            #expect(first.isNew)
            let again = try await planner.savePlace(Self.cafe, name: second)
            #expect(!again.isNew)
            #expect(again.place.id == first.place.id)
            #expect(again.place.name == "Corner")
            #expect(try await planner.savedPlaces().count == 1)
        }
    }

    @Test func `Another account can save the same place`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna", "anna@example.org")
            _ = try await planner.savePlace(Self.cafe, name: "Corner")
            let anna = try await world.planner(actingAs: "Anna")
            #expect(try await anna.savePlace(Self.cafe, name: "Corner").isNew)
        }
    }

    @Test func `Saving a Foursquare place again sends no second request`() async throws {
        let fake = try FakeFoursquare([.place(FakeFoursquare.museum)])
        defer { fake.stop() }
        let environment = [
            "FOURSQUARE_SERVICE_KEY": FakeFoursquare.key, "LETSMEET_FOURSQUARE_URL": fake.url,
        ]
        try await withTemporaryHome { world in
            let planner = try await world.planner(environment: environment)
            for isNew in [true, false] {
                let id = "fsq:\(FakeFoursquare.id(0xA1))"
                #expect(try await planner.savePlace(id, name: nil).isNew == isNew)
            }
            #expect(fake.requests.count == 1)
        }
    }

    @Test func `A saved place with an existing name is refused with advice to remove the other`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await planner.addPlace("Office", near: nil, address: "")
            for (name, refused) in [
                (
                    "office",
                    await refusal {
                        _ = try await planner.addPlace("office", near: nil, address: "")
                    }
                ),
                (
                    "OFFICE",
                    await refusal { _ = try await planner.savePlace(Self.cafe, name: "OFFICE") }
                ),
            ] {
                #expect(refused?.code == "known_place")
                #expect(refused?.advice == [.places(.remove(name))])
            }
        }
    }

    @Test(arguments: [".", "🏳️‍🌈", "–"])
    func `A place needs a name by which it can be found`(name: String) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let refused = await refusal {
                _ = try await planner.addPlace(name, near: nil, address: "Street 1")
            }
            #expect(refused?.code == "bad_name")
        }
    }

    @Test(arguments: [
        (#""4bf58dd8d48988d181941735""#, "", "Museum"), (#""000000000000000000000001""#, "", ""),
        (
            #""000000000000000000000001""#, #","fsq_category_labels":["Other > Odd Place"]"#,
            "Odd Place"
        ),
    ])
    func `A category without a label gets its name from the table of interests, or none`(
        _ id: String, _ labels: String, _ kind: String
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let file = world.home.path + "/places.ndjson"
            let row =
                #"{"fsq_place_id":"4b0588f1f964a520dd0000a1","name":"Hall","latitude":61.5,"#
                + #""longitude":23.78,"fsq_category_ids":[\#(id)]\#(labels)}"#
            try row.write(toFile: file, atomically: true, encoding: .utf8)
            _ = try await planner.importPlaces(file)
            let (place, _) = try await planner.showPlace("fsq:4b0588f1f964a520dd0000a1")
            #expect(place.kind == kind)
            #expect(place.categories.map { "\"\($0.id)\"" } == [id])
            #expect(place.categories.map(\.name) == [kind])
        }
    }

    @Test func `Imported places without a position are told`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let file = world.home.path + "/places.geojson"
            let features = ["null", #"{"type":"Point","coordinates":[24.9,60.1]}"#].map {
                #"{"type":"Feature","properties":{"name":"Hall"},"geometry":\#($0)}"#
            }
            try features.joined(separator: "\n").write(
                toFile: file, atomically: true, encoding: .utf8)
            let report = try await planner.importPlaces(file)
            #expect(report.imported == 2)
            #expect(
                report.warnings == [
                    "1 place has no position, so no search around another place finds it."
                ])
        }
    }

    @Test(arguments: [
        ("-18,179.99", "-18,-179.99", 2_115), ("-18,-179.99", "-18,179.99", 2_115),
        ("89.9,0", "89.95,180", 16_679), ("-89.9,0", "-89.9,-180", 22_239),
        ("90,0", "89.9,77", 11_120),
    ])
    func `A place beyond a pole or the date line is found`(
        _ start: String, _ place: String, _ distance: Int
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let file = world.home.path + "/places.ndjson"
            let degrees = place.split(separator: ",")
            try """
            {"fsq_place_id":"a1","name":"Hall","latitude":\(degrees[0]),\
            "longitude":\(degrees[1]),"fsq_category_ids":["4bf58dd8d48988d181941735"]}
            """.write(toFile: file, atomically: true, encoding: .utf8)
            _ = try await planner.importPlaces(file)
            var request = PlaceRequest()
            request.near = start
            request.interest = "museum"
            request.radiusMeters = 25_000
            let found = try await planner.searchPlaces(request).results
            #expect(found.map(\.name) == ["Hall"])
            #expect(abs((found.first?.distanceM ?? 0) - distance) < 20)
        }
    }
}
