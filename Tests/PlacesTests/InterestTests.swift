import Agenda
import Foundation
import Places
import Testing

struct InterestTests {
    let interests: Interests

    init() throws {
        interests = try Interests(file: ShippedData.folder + "/interests.tsv")
    }

    @Test(arguments: [
        ("museum", ["Museum"]), ("Museums", ["Museum"]), ("  MUSEUM ", ["Museum"]),
        ("art galleries", ["Art Gallery"]), ("gallery", ["Art Gallery"]), ("cafés", ["Café"]),
        ("Coffee Shop", ["Coffee Shop"]), ("pizza", ["Pizzeria"]), ("pool", ["Swimming Pool"]),
        ("swimming", ["Swimming Pool"]), ("sports venue", ["Stadium"]),
        ("theatre", ["Theater"]), ("movies", ["Movie Theater"]),
        ("co-working", ["Coworking Space"]),
        ("Community Centre", ["Community Center"]), ("food", ["Dining and Drinking"]),
        ("Arts and Entertainment > Museum > Art Museum", ["Art Museum"]),
        ("swimming pool", ["Swimming Pool"]), ("4bf58dd8d48988d181941735", ["Museum"]),
        ("4D4B7105D754A06374D81259", ["Restaurant"]),
        ("lunch", ["Restaurant", "Café", "Deli", "Food Court", "Bakery", "Cafeteria"]),
        ("Kaffee", ["Coffee Shop"]), ("Bäckerei", ["Bakery"]), ("KINO", ["Movie Theater"]),
        ("Abendessen", ["Restaurant"]), ("dinner", ["Restaurant"]),
        ("drinks", ["Bar", "Pub", "Beer Garden"]),
        ("sports", ["Sports and Recreation", "Stadium", "Swimming Pool", "Gym"]),
        (
            "meeting",
            [
                "Meeting Room", "Conference Room", "Coworking Space", "Event Space", "Library",
                "Coffee Shop",
            ]
        ),
    ])
    func `Words, labels and ids lead to categories`(asked: String, names: [String]) throws {
        let meaning = try interests.meaning(of: asked)
        #expect(meaning.categories.map(\.name) == names)
        #expect(meaning.asked == asked)
        #expect(meaning.warnings == [])
    }

    @Test func `A number of the old API is translated, with a warning`() throws {
        let meaning = try interests.meaning(of: "13065")
        #expect(meaning.categories.map(\.id) == ["4d4b7105d754a06374d81259"])
        #expect(
            meaning.warnings == [
                "\"13065\" is a category number of Foursquare's old API v3. It was read as "
                    + "\"Restaurant\", whose id is now 4d4b7105d754a06374d81259."
            ])
    }

    @Test func `An id that is not in the table is passed on, with a warning`() throws {
        let meaning = try interests.meaning(of: "4bf58dd8d48988d1c4941735")
        #expect(meaning.categories.map(\.id) == ["4bf58dd8d48988d1c4941735"])
        #expect(meaning.warnings.count == 1)
    }

    @Test(arguments: [
        ("musem", "museum"), ("resturant", "restaurant"), ("galery", "art gallery"),
        ("swiming", "swimming pool"), ("lunhc", "lunch"), ("sport bar", "bar"),
        ("cofee", "coffee"), ("museum of art", "museum"), ("bra", "bar"),
    ])
    func `An unknown word gets suggestions`(asked: String, nearest: String) {
        let error = #expect(throws: InterestError.self) { try interests.meaning(of: asked) }
        guard case .unknown(asked, let words) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(words.contains(nearest))
        #expect(words.count <= Interests.nearestMax)
    }

    @Test(arguments: [
        "", " ", "...", "xqzzt", "99999", "4bf58dd8d48988d18194173", "博物馆",
        String(repeating: "museum ", count: 10_000), "13065.0",
    ])
    func `Words that resemble no interest are unknown without suggestions`(asked: String) {
        let error = #expect(throws: InterestError.self) { try interests.meaning(of: asked) }
        #expect(error == .unknown(asked, nearest: []))
    }

    @Test(arguments: [
        ("food", "pizza", true), ("food", "coffee", true), ("lunch", "pizza", true),
        ("drinks", "pub", true), ("museum", "art museum", true), ("art museum", "museum", false),
        ("sports", "tennis", true), ("coffee or tea", "cafe", true), ("cafe", "coffee", false),
        ("dinner", "cafe", false), ("museum", "restaurant", false), ("bar", "pub", true),
    ])
    func `A category covers its descendants`(
        asked: String, other: String, isCovered: Bool
    ) throws {
        let category = try #require(try interests.meaning(of: other).categories.first)
        let asked = try interests.meaning(of: asked).categories
        #expect(asked.contains { $0.covers(category) } == isCovered)
    }

    @Test(arguments: [
        (["amenity": "restaurant", "cuisine": "pizza;kebab"], ["Restaurant", "Pizzeria"]),
        (["amenity": "cafe"], ["Café", "Coffee Shop"]), (["tourism": "museum"], ["Museum"]),
        (
            ["leisure": "sports_centre", "sport": "swimming"],
            ["Sports and Recreation", "Swimming Pool"]
        ),
        (["amenity": "nightclub; restaurant"], ["Restaurant", "Night Club"]),
        (["leisure": "fitness_centre"], ["Gym"]), (["amenity": "bank"], []), ([:], []),
        (["amenity": ";;"], []), (["": ""], []),
    ])
    func `Tags of OpenStreetMap lead to categories`(tags: [String: String], names: [String]) {
        #expect(interests.categories(forOSMTags: tags).map(\.name) == names)
    }

    @Test func `Every category of the table is valid and unique`() {
        let hex = Set("0123456789abcdef")
        for category in interests.categories {
            #expect(category.id.count == 24 && category.id.allSatisfy(hex.contains))
            #expect((10_000..<20_000).contains(category.v3 ?? 0))
            #expect(category.label.hasSuffix(category.name))
        }
        #expect(Set(interests.categories.map(\.id)).count == interests.categories.count)
        #expect(Set(interests.categories.map(\.label)).count == interests.categories.count)
        #expect(interests.categories.count >= 45)
    }

    @Test func `Every word is folded and unique in the table`() throws {
        let words = interests.all.flatMap { [$0.name] + $0.synonyms }
        #expect(words.filter { SearchKey.fold($0) != $0 } == [])
        #expect(Set(words).count == words.count)
        for interest in interests.all {
            #expect(try interests.meaning(of: interest.name).categories == interest.categories)
        }
    }

    @Test(arguments: [
        ("category\tx\t1\tA\ta\t", 1), ("\n# head\nset\tlunch\tabc", 3), ("nonsense", 1),
        ("category\t4bf58dd8d48988d181941735\tx\tA\ta\t", 1), ("set\tlunch\t", 1),
        ("category\t4bf58dd8d48988d181941735\t1\tA\t\t", 1), ("category\t\t", 1),
    ])
    func `An invalid line is reported by its number`(text: String, line: Int) {
        let error = #expect(throws: InterestError.self) { try Interests(parsing: text) }
        guard case .malformed(line, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test func `The Helsinki sample has places for the common interests`() throws {
        struct Place: Decodable {
            let id: String
            let name: String
            let latitude: Double
            let longitude: Double
            let osm_tags: [String: String]
        }
        let path = ShippedData.folder + "/helsinki-sample/places.ndjson"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let places = try lines.map { try JSONDecoder().decode(Place.self, from: Data($0.utf8)) }
        #expect(Set(places.map(\.id)).count == places.count && places.count > 1_000)
        for (asked, countMin) in [
            ("museum", 6), ("lunch", 250), ("coffee", 80), ("swimming", 1), ("drinks", 70),
            ("sports", 7), ("gallery", 7), ("meeting", 90), ("library", 7), ("hotel", 20),
        ] {
            let meaning = try interests.meaning(of: asked)
            let found = places.filter {
                interests.categories(forOSMTags: $0.osm_tags).contains { category in
                    meaning.categories.contains { $0.covers(category) }
                }
            }
            #expect(found.count >= countMin, "\(asked): \(found.count)")
        }
        for place in places {
            #expect((60.16...60.18).contains(place.latitude), "\(place.id)")
            #expect((24.93...24.96).contains(place.longitude), "\(place.id)")
        }
    }
}
