import Foundation
import Testing

@testable import Places

@Suite struct GeoJSONTests {
    /// The format that `osmium export -a type,id` writes.
    static let cafe =
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[24.0,60.0]},"properties":"#
        + #"{"@type":"node","@id":1,"name":"Café Åbo","amenity":"cafe","addr:street":"Katu","#
        + #""addr:housenumber":"5","addr:postcode":"00100","addr:city":"Helsinki","#
        + #""phone":"+358 0","contact:email":"a@b.example","contact:website":"https://c.example"}}"#
    static let parkLine =
        #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[25.0,60.0],"#
        + #"[25.0,61.0],[24.5,61.0],[25.0,60.0]]},"properties":{"@type":"way","@id":10,"#
        + #""name":"Park","leisure":"park"}}"#
    static let park =
        #"{"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[[[24.5,61.0],"#
        + #"[25.0,60.0],[25.0,61.0],[24.5,61.0]]]]},"properties":{"@type":"way","@id":10,"#
        + #""name":"Park","leisure":"park"}}"#
    static let house =
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[24.0,60.0]},"properties":"#
        + #"{"@type":"node","@id":2,"building":"yes"}}"#

    private static let cafePlace = ImportedPlace(
        place: Place(
            id: "osm:node/1", name: "Café Åbo", latitude: 60, longitude: 24,
            address: "Katu 5, 00100 Helsinki", url: "https://c.example"),
        osmTags: [
            "name": "Café Åbo", "amenity": "cafe", "addr:street": "Katu", "addr:housenumber": "5",
            "addr:postcode": "00100", "addr:city": "Helsinki",
        ])
    private static let parkPlace = ImportedPlace(
        place: Place(id: "osm:way/10", name: "Park", latitude: 60.5, longitude: 24.75),
        osmTags: ["name": "Park", "leisure": "park"])

    private func items(_ text: String) -> [PlaceFileItem] {
        Array(PlaceFile(Data(text.utf8)))
    }

    private func place(_ feature: String) throws -> Place {
        guard case .place(let found) = items(feature).first else {
            throw JSONError(reason: "no place in \(feature)", position: 0)
        }
        return found.place
    }

    @Test(arguments: [
        [cafe, parkLine, park, house].joined(separator: "\n"),
        [cafe, parkLine, park, house].map { "\u{1E}\($0)\n" }.joined(),
        [cafe, parkLine, park, house].map { "\u{1E}\($0.replacing(",", with: ",\n"))\n" }.joined(),
        #"{"type":"FeatureCollection","features":[\#(cafe),\#(parkLine),\#(park),\#(house)]}"#,
        #"{"features":[\#(cafe),\#(parkLine),\#(park),\#(house)],"type":"FeatureCollection"}"#,
        "{\n \"bbox\": [1, {\"features\": [2]}],\n \"name\": \"]}\\\"\", \"features\"\n: [ \n"
            + [cafe, parkLine, park, house].joined(separator: " ,\r\n") + "\n]\n}\n",
    ])
    func `All forms of GeoJSON give the same places`(_ text: String) {
        #expect(
            items(text) == [
                .place(Self.cafePlace), .place(Self.parkPlace), .leftOut(.repeated),
                .leftOut(.nameless),
            ])
    }

    @Test(arguments: [
        (#""id":"n1","properties":{"name":"X"}"#, "osm:node/1"),
        (#""id":"w10","properties":{"name":"X"}"#, "osm:way/10"),
        (#""id":"a20","properties":{"name":"X"}"#, "osm:way/10"),
        (#""id":"a15","properties":{"name":"X"}"#, "osm:relation/7"),
        (#""id":"r7","properties":{"name":"X"}"#, "osm:relation/7"),
        (#""id":"way/5","properties":{"name":"X"}"#, "osm:way/5"),
        (#""properties":{"name":"X","@id":"relation/7"}"#, "osm:relation/7"),
        (#""properties":{"name":"X","@type":"node","@id":"12"}"#, "osm:node/12"),
        (#""properties":{"name":"X","type":"way","id":9}"#, "osm:way/9"),
        (#""id":42,"properties":{"name":"X"}"#, "geojson:42"),
        (#""id":"x\ny","properties":{"name":"X"}"#, "geojson:x y"),
        (#""properties":{"name":"X","type":"boundary","id":9}"#, "geojson:9"),
        (#""id":"way/-5","properties":{"name":"X"}"#, "geojson:way/-5"),
        (#""id":"a1","properties":{"name":"X"}"#, "geojson:a1"),
    ])
    func `The id of an OpenStreetMap element is recognized`(
        _ members: String, _ id: String
    ) throws {
        #expect(try place(#"{"type":"Feature",\#(members)}"#).id == id)
    }

    @Test func `A feature without an id always gets the same id`() throws {
        func feature(_ name: String, _ longitude: Double) -> String {
            #"{"type":"Feature","properties":{"name":"\#(name)"},"#
                + #""geometry":{"type":"Point","coordinates":[\#(longitude),60]}}"#
        }
        let id = try place(feature("Office", 24)).id
        #expect(id.hasPrefix("geojson:"))
        #expect(try place(feature("Office", 24)).id == id)
        #expect(try place(feature("Office", 25)).id != id)
        #expect(try place(feature("Other", 24)).id != id)
    }

    @Test(arguments: [
        (#"{"type":"Point","coordinates":[24.9,60.1,15]}"#, 60.1, 24.9),
        (#"{"type":"MultiPoint","coordinates":[[24,60],[26,62]]}"#, 61, 25),
        (#"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,2],[0,2],[0,0]]]}"#, 1, 2),
        (
            #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,1]},"#
                + #"{"type":"Point","coordinates":[3,5]}]}"#, 3, 2
        ),
        (#"{"type":"MultiPoint","coordinates":[[179,-17],[-179,-19]]}"#, -18, 180),
        (#"{"type":"MultiPoint","coordinates":[[178,-17],[-176,-19]]}"#, -18, -179),
        (#"{"type":"MultiPoint","coordinates":[[24,60],[999,60],["x",1],[]]}"#, 60, 24),
    ])
    func `The position of a geometry is the centre of its bounding box`(
        _ geometry: String, _ latitude: Double, _ longitude: Double
    ) throws {
        let place = try place(
            #"{"type":"Feature","properties":{"name":"X"},"geometry":\#(geometry)}"#)
        #expect(place.latitude == latitude)
        #expect(place.longitude == longitude)
    }

    @Test(arguments: [
        "null", "{}", "[]", #"{"type":"Point","coordinates":[]}"#, #"{"coordinates":null}"#,
    ])
    func `A geometry without coordinates has no position`(_ geometry: String) throws {
        let place = try place(
            #"{"type":"Feature","properties":{"name":"X"},"geometry":\#(geometry)}"#)
        #expect(place.latitude == nil)
        #expect(place.longitude == nil)
    }

    @Test(arguments: ["[91,91]", #""24,60""#, "[24]", "{}", "[[181,0],[0,-91]]"])
    func `A geometry with an invalid position is reported by its line`(_ coordinates: String) {
        let odd =
            #"{"type":"Feature","properties":{"name":"X"},"geometry":{"coordinates":"#
            + "\(coordinates)}}"
        #expect(
            items("\n\(odd)\n") == [
                .bad(
                    line: 2,
                    reason: "Its position is not valid: the latitude must be from -90 to 90 "
                        + "degrees, the longitude from -180 to 180.")
            ])
    }

    @Test func `A damaged feature is reported and the next is read`() {
        let damaged = #"{"type":"Feature","properties":{"name" "X"}}"#
        let text = "\n{\"features\":[\n\(Self.cafe),\n\n\(damaged),\n\(Self.park)\n]}"
        #expect(
            items(text) == [
                .place(Self.cafePlace),
                .bad(line: 5, reason: "It is not valid JSON: unexpected \"\"\"."),
                .place(Self.parkPlace),
            ])
    }

    @Test func `An error within a record is reported with its own line`() {
        let text = "\u{1E}{\n\n\"type\":\n\"Feature\",,\n}\n\u{1E}\(Self.cafe)\n"
        #expect(
            items(text) == [
                .bad(line: 4, reason: "It is not valid JSON: unexpected \",\"."),
                .place(Self.cafePlace),
            ])
    }
}
