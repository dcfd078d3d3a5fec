import Foundation
import Places
import Testing

struct GazetteerTests {
    let gazetteer: Gazetteer

    init() throws {
        gazetteer = try ShippedData.gazetteer()
    }

    @Test(arguments: [
        ("Helsinki", 658225), ("helsingfors", 658225), ("  HELSINKI  ", 658225),
        ("Helsinki, Finland", 658225), ("Helsinki, Suomi", 658225), ("Helsinki,", 658225),
        ("Helsinki, Uusimaa, Finland", 658225), ("Helsinki Finland", 658225),
        ("München", 2_867_714), ("Munich, Bavaria", 2_867_714), ("koln", 2_886_242),
        ("Köln, DE", 2_886_242), ("NYC", 5_128_581), ("New York", 5_128_581),
        ("Москва", 524901), ("東京", 1_850_147), ("Bombay", 1_275_339), ("Kiev", 703448),
        ("Springfield, IL", 4_250_542), ("Springfield, Illinois, US", 4_250_542),
        ("springfield, usa, illinois", 4_250_542), ("springfield il", 4_250_542),
        ("London", 2_643_743), ("London, England", 2_643_743), ("London, UK", 2_643_743),
        ("London, CA", 6_058_560), ("London, Ontario", 6_058_560), ("London, ON", 6_058_560),
        ("London, Ontario, Canada", 6_058_560), ("Paris", 2_988_507),
        ("Paris, France", 2_988_507), ("Paris, TX", 4_717_560), ("paris texas", 4_717_560),
        ("San José", 3_621_849), ("San Jose, CA", 5_392_171), ("San Jose, Costa Rica", 3_621_849),
        ("Frankfurt", 2_925_533), ("Washington", 4_140_963), ("Vienna", 2_761_369),
        ("Naples", 3_172_394), ("Rome", 3_169_070), ("Moscow", 524901), ("Portland, OR", 5_746_545),
        ("Zaragoza", 3_104_324), ("Cancun", 3_531_673), ("New Delhi", 1_261_481),
        ("St Johns, Antigua", 3_576_022), ("St. Louis, MO", 4_407_066), ("St. Petersburg", 498817),
        ("Odessa, Ukraine", 698740), ("Odessa, TX", 5_527_554), ("Odesa", 698740),
        ("Castries, St Lucia", 3_576_812),
        ("Aboisso, Comoé, Côte d'Ivoire", 2_293_507), ("Saint Louis, MO", 4_407_066),
        ("Singapore", 1_880_252), ("658225", 658225), ("geonames:658225", 658225),
    ])
    func `A name with qualifiers leads to one city`(query: String, id: Int) throws {
        #expect(try gazetteer.resolve(query).id == id)
    }

    @Test(arguments: [
        ("Springfield", 4_409_896), ("San Jose", 5_392_171), ("Birmingham", 2_655_603),
        ("Portland", 5_746_545), ("Victoria", 1_931_681), ("Cambridge", 2_653_941),
        ("Barcelona", 3_128_760), ("St. Louis", 4_407_066), ("Springfield, US", 4_409_896),
        ("Mexico", 3_530_597), ("Odessa", 698740),
    ])
    func `An ambiguous name gives candidates, biggest first`(query: String, id: Int) {
        let error = #expect(throws: CityError.self) { try gazetteer.resolve(query) }
        guard case .ambiguous(query, let candidates) = error else {
            Issue.record("\(query): \(String(describing: error))")
            return
        }
        #expect(candidates.first?.id == id)
        #expect(candidates.count > 1 && candidates.count <= Gazetteer.candidatesMax)
        #expect(candidates.map(\.population) == candidates.map(\.population).sorted(by: >))
    }

    @Test(arguments: [
        ("Helsinkki", "Helsinki"), ("san fransciso", "San Francisco"), ("Tamprere", "Tampere"),
        ("Springfeild, IL", "Springfield"), ("Amsterdm", "Amsterdam"), ("Jyväsky", "Jyväskylä"),
        ("Paris, Finland", "Paris"), ("paris finland", "Paris"), ("Рiga", "Riga"),
        ("Хельсинкы", "Helsinki"),
    ])
    func `A misspelled name is unknown, but gets a suggestion`(query: String, name: String) {
        let error = #expect(throws: CityError.self) { try gazetteer.resolve(query) }
        guard case .unknown(query, let nearest) = error else {
            Issue.record("\(query): \(String(describing: error))")
            return
        }
        if query == "Рiga" { return #expect(nearest == []) }
        #expect(nearest.map(\.name).contains(name))
        #expect(nearest.count <= Gazetteer.nearestMax)
    }

    @Test(arguments: [
        "", " ", ",", ",,,;", "...", "xqzzt", "99999999", "geonames:", "geonames:x",
        "99999999999999999999999999", "geonames:658226", "Helsinki, Sweden, Finland",
        String(repeating: "ä", count: 10_000), String(repeating: "a, ", count: 10_000),
        "\u{0}\t\n", "Helsinki\t658225", "a\u{301}\u{302}",
    ])
    func `A name that no city has is unknown`(query: String) {
        let error = #expect(throws: CityError.self) { try gazetteer.resolve(query) }
        guard case .unknown = error else {
            Issue.record("\(query.prefix(40)): \(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        ("London", ["London, England, United Kingdom", "London, Ontario, Canada"]),
        ("Helsin", ["Helsinki, Uusimaa, Finland"]),
        ("springfield, il", ["Springfield, Illinois, United States"]),
        ("658225", ["Helsinki, Uusimaa, Finland"]), ("", []), ("xqzzt", []),
    ])
    func `Matching cities are sorted, best first`(query: String, labels: [String]) {
        let found = gazetteer.cities(matching: query, limit: 2).map(\.label)
        #expect(Array(found.prefix(labels.count)) == labels)
        #expect(labels.isEmpty == found.isEmpty)
    }

    @Test(arguments: [0, 1, 3, 50])
    func `Matches respect the limit and have no duplicates`(limit: Int) {
        let found = gazetteer.cities(matching: "san", limit: limit)
        #expect(found.count == limit)
        #expect(Set(found.map(\.id)).count == limit)
    }

    @Test func `A city has its region, country and time zone`() throws {
        let city = try gazetteer.resolve("Toronto")
        #expect(city.label == "Toronto, Ontario, Canada")
        #expect(city.regionCode == "ON" && city.country == "CA")
        #expect(city.zone == "America/Toronto")
        #expect(abs(city.latitude - 43.7) < 0.1 && abs(city.longitude + 79.4) < 0.1)
        #expect(city.population > 2_000_000)
    }

    @Test(arguments: [
        (60.1699, 24.9384, "Helsinki"), (37.7749, -122.4194, "San Francisco"),
        (-18.1416, 178.4419, "Suva"), (64.1466, -21.9426, "Reykjavík"),
        (-18.0, -179.9, "Nasinu"), (-18.0, 179.9, "Nasinu"), (78.2232, 15.6267, "Longyearbyen"),
    ])
    func `The nearest city is found, also across the date line`(
        latitude: Double, longitude: Double, name: String
    ) {
        #expect(gazetteer.nearest(latitude: latitude, longitude: longitude)?.name == name)
    }

    @Test(arguments: [
        (0.0, -140.0), (-89.9, 0.0), (91.0, 0.0), (0.0, 181.0), (Double.nan, 0.0),
        (Double.infinity, 0.0),
    ])
    func `The open sea and invalid degrees have no nearest city`(
        latitude: Double, longitude: Double
    ) {
        #expect(gazetteer.nearest(latitude: latitude, longitude: longitude) == nil)
    }

    @Test func `A missing folder is reported by its path`() {
        let error = #expect(throws: GazetteerError.self) { try Gazetteer(directory: "/nowhere") }
        guard case .unreadable("/nowhere/cities.tsv", let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!reason.isEmpty)
    }
}
