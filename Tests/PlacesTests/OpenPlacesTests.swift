import Foundation
import TestKit
import Testing

@testable import Places

@Suite struct OpenPlacesTests {
    private static let whole = #"""
        {"fsq_place_id":"4d41b8c490f9224b9397121e","name":"Invented Theatre","latitude":44.8,
        "longitude":20.4,"address":"Izmišljena 3","locality":"Beograd","region":null,
        "postcode":"11000","country":"RS","date_closed":null,"tel":"011 000",
        "website":"https://t.example",
        "email":"a@t.example","facebook_id":171050519623290,
        "fsq_category_ids":["4bf58dd8d48988d137941735","4bf58dd8d48988d181941735"],
        "fsq_category_labels":["Arts and Entertainment > Theater"],"geom":"AQE=",
        "bbox":{"xmin":20.4,"ymin":44.8,"xmax":20.4,"ymax":44.8}}
        """#.replacing("\n", with: "")

    private func items(_ text: String) -> [PlaceFileItem] {
        Array(PlaceFile(Data(text.utf8)))
    }

    private func names(_ items: [PlaceFileItem]) -> [String] {
        items.compactMap { item in
            guard case .place(let found) = item else { return nil }
            return found.place.name
        }
    }

    @Test func `A row becomes a place without phone number and mail address`() throws {
        let theater = Category(
            id: "4bf58dd8d48988d137941735", label: "Arts and Entertainment > Theater", v3: nil)
        let museum = Category(
            id: "4bf58dd8d48988d181941735", label: "", v3: nil)
        #expect(
            items(Self.whole) == [
                .place(
                    ImportedPlace(
                        place: Place(
                            id: "fsq:4d41b8c490f9224b9397121e", name: "Invented Theatre",
                            latitude: 44.8, longitude: 20.4, categories: [theater, museum],
                            address: "Izmišljena 3, 11000 Beograd", url: "https://t.example"),
                        categoryIDs: [theater.id, museum.id]))
            ])
        #expect(theater.name == "Theater")
    }

    @Test(arguments: [
        (
            #"{"fsq_place_id":"a1","name":"B","latitude":null,"longitude":null,"address":null,"#
                + #""fsq_category_ids":null,"fsq_category_labels":null,"website":null}"#,
            PlaceFileItem.place(ImportedPlace(place: Place(id: "fsq:a1", name: "B")))
        ),
        (
            #"{"fsq_place_id":"a1","name":"B","fsq_category_ids":"[x]","website":7}"#,
            .place(ImportedPlace(place: Place(id: "fsq:a1", name: "B")))
        ),
        (#"{"fsq_place_id":"a1","name":"B","date_closed":"2020-01-01"}"#, .leftOut(.closed)),
        (
            #"{"fsq_place_id":"a1","name":"B","unresolved_flags":["doesnt_exist"]}"#,
            .leftOut(.closed)
        ),
        (#"{"fsq_place_id":"a1","name":null}"#, .leftOut(.nameless)),
        (#"{"fsq_place_id":"a1"}"#, .leftOut(.nameless)),
        (
            #"{"fsq_place_id":null,"name":"B"}"#,
            .bad(
                line: 1,
                reason: "It is neither a GeoJSON feature nor a place with an id and a name.")
        ),
    ])
    func `Columns may be empty, missing or of another type`(
        _ row: String, _ item: PlaceFileItem
    ) {
        #expect(items(row) == [item])
    }

    @Test(arguments: [
        #""latitude":91,"longitude":24"#, #""latitude":"60","longitude":24"#, #""latitude":60"#,
        #""latitude":60,"longitude":null"#, #""latitude":60,"longitude":-180.1"#,
        #""latitude":{},"longitude":[]"#,
    ])
    func `A place with an invalid position is reported and skipped`(_ position: String) {
        let text = [
            #"{"fsq_place_id":"a1","name":"One"}"#,
            #"{"fsq_place_id":"a2","name":"Two",\#(position)}"#,
            #"{"id":"x","name":"Three",\#(position)}"#, #"{"fsq_place_id":"a4","name":"Four"}"#,
        ].joined(separator: "\n")
        let items = items(text)
        #expect(names(items) == ["One", "Four"])
        let reason =
            "Its position is not valid: the latitude must be from -90 to 90 degrees, the "
            + "longitude from -180 to 180."
        #expect(items[1...2] == [.bad(line: 2, reason: reason), .bad(line: 3, reason: reason)])
    }

    @Test func `A line that is not UTF-8 is reported and the others are read`() {
        var bytes = Array(#"{"fsq_place_id":"a1","name":"Caf"#.utf8)
        bytes += [0xE9] + Array("\"}\n".utf8) + Array(#"{"fsq_place_id":"a2","name":"Two"}"#.utf8)
        let items = Array(PlaceFile(Data(bytes)))
        #expect(names(items) == ["Two"])
        #expect(
            items[0]
                == .bad(line: 1, reason: "It is not valid UTF-8. Save the file as UTF-8."))
    }

    @Test func `A damaged line is reported and the others are read`() {
        let text = [
            #"{"fsq_place_id":"a1","name":"One"}"#, "", #"{"fsq_place_id":"a2","name":"Tw"#,
            #"{"fsq_place_id":"a3","name":"Three"}"#, "[]",
            #"{"fsq_place_id":"a1","name":"Again"}"#,
            #"{"fsq_place_id":"a4","name":"Four"}"#,
        ].joined(separator: "\r\n")
        let items = items("\u{FEFF}" + text)
        #expect(names(items) == ["One", "Three", "Four"])
        #expect(
            items.filter { if case .place = $0 { false } else { true } } == [
                .bad(
                    line: 3,
                    reason: "It is not valid JSON: a string contains a line break or a control "
                        + "character."),
                .bad(
                    line: 5,
                    reason: "It is neither a GeoJSON feature nor a place with an id and a name."),
                .leftOut(.repeated),
            ])
    }

    @Test func `The rows may be in an array`() {
        let list = "[\n {\"fsq_place_id\":\"a1\",\"name\":\"One\"},\n"
        #expect(names(items(list + #"{"fsq_place_id":"a2","name":"Two"}]"#)) == ["One", "Two"])
        #expect(
            items(list + #"{"fsq_place_id":"a2","name":"#).dropFirst() == [
                .bad(line: 3, reason: "It is not valid JSON: it ends too early.")
            ])
        #expect(
            items(list + #"{"fsq_place_id":"a2","name":"Two"}"#).dropFirst(2) == [
                .bad(line: 3, reason: "It is not valid JSON: it ends too early.")
            ])
    }

    @Test(arguments: ["", "\n\n  \r\n", "\u{FEFF}", "[]", #"{"features":[]}"#])
    func `A file without records is empty`(_ text: String) {
        #expect(items(text).isEmpty)
    }

    @Test func `A line above the size limit is reported and skipped`() {
        let long = String(repeating: "x", count: PlaceFile.recordBytesMax + 1)
        let items = items(long + "\n" + #"{"fsq_place_id":"a1","name":"One"}"#)
        #expect(items.first == .bad(line: 1, reason: "It is too long to be a place."))
        #expect(names(items) == ["One"])
    }

    @Test func `A line of the sample becomes a place with its tags`() {
        let line =
            #"{"id":"osm:node/1","name":"Teehuone","latitude":60.16,"longitude":24.93,"#
            + #""address":"Eerikinkatu 10","locality":"Helsinki","postcode":"00100","#
            + #""country":"FI","osm_tags":{"amenity":"cafe"},"opening_hours":"Mo-Fr 10:00-19:00","#
            + #""website":"http://t.example/"}"#
        let place = Place(
            id: "osm:node/1", name: "Teehuone", latitude: 60.16, longitude: 24.93,
            address: "Eerikinkatu 10, 00100 Helsinki", url: "http://t.example/",
            hours: "Mo-Fr 10:00-19:00")
        #expect(
            items(line) == [.place(ImportedPlace(place: place, osmTags: ["amenity": "cafe"]))])
    }

    @Test func `The whole bundled sample is read`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Places/Data/helsinki-sample/places.ndjson")
        let items = Array(try #require(PlaceFile(path: file.path)))
        #expect(items.count > 1000)
        #expect(names(items).count == items.count)
    }

    @Test(arguments: 1...8)
    func `Damaged files never crash the reader`(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let lines = [Self.whole, Self.whole, GeoJSONTests.park, GeoJSONTests.cafe]
        let forms = [
            lines.joined(separator: "\n"), "[\(lines.joined(separator: ",\n"))]",
            #"{"type":"FeatureCollection","features":[\#(lines.joined(separator: ",\n"))]}"#,
            lines.map { "\u{1E}\($0)\n" }.joined(),
        ].map { Array($0.utf8) }
        for _ in 0..<25 {
            for form in forms {
                let bytes = Fuzz.damaged(form, using: &random)
                let linesCount = bytes.count { $0 == UInt8(ascii: "\n") } + 1
                var count = 0
                for item in PlaceFile(Data(bytes)) {
                    count += 1
                    if case .bad(let line, _) = item { #expect((1...linesCount).contains(line)) }
                    if case .place(let found) = item { #expect(!found.place.name.isEmpty) }
                }
                #expect(count <= bytes.count)
            }
        }
    }
}
