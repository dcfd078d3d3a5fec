import Planning
import TestKit
import Testing

/// Searches in the catalogue of a new home, which has the sample of central Helsinki.
@Suite struct PlaceSearchTests {
    private func names(
        _ world: TestWorld, name: String, interest: String = "", limit: Int = 500
    ) async throws -> [String] {
        var request = PlaceRequest()
        request.city = "Helsinki"
        request.name = name
        request.interest = interest
        request.limit = limit
        return try await world.planner().searchPlaces(request).results.map(\.name)
    }

    @Test(arguments: [
        ("cafe engel", ["Cafe Engel"]), ("CAFÉ eng", ["Cafe Engel"]), ("nobody's inn", []),
    ])
    func `A place is found by the beginnings of the words of its name`(
        _ typed: String, _ expected: [String]
    ) async throws {
        try await withTemporaryHome { world in
            let found = try await names(world, name: typed)
            #expect(found == expected)
        }
    }

    @Test func `A search by name and interest finds only places that match both`() async throws {
        try await withTemporaryHome { world in
            let all = try await names(world, name: "engel")
            let cafes = try await names(world, name: "engel", interest: "cafe")
            #expect(cafes == ["Cafe Engel"])
            #expect(all.count > 1)
        }
    }

    @Test(arguments: ["\"", "*", "   ", "", "-", String(repeating: "a", count: 101)])
    func `A search text that is not a name is refused`(_ typed: String) async throws {
        try await withTemporaryHome { world in
            let refused = await refusal { _ = try await names(world, name: typed) }
            #expect(refused?.code == "bad_name")
        }
    }

    @Test(arguments: ["eng OR museo", "NEAR(engel)", "name:engel", "engel\"", "^engel"])
    func `Operators of the search index are treated as ordinary words`(
        _ typed: String
    ) async throws {
        try await withTemporaryHome { world in
            let found = try await names(world, name: typed)
            #expect(found.count <= 4)
        }
    }
}
