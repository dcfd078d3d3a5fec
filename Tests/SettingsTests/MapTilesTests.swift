import Testing

@testable import Settings

/// Addresses of map tiles.
@Suite struct MapTilesTests {
    @Test(arguments: [
        ("https://tile.openstreetmap.org/{z}/{x}/{y}.png", "https://tile.openstreetmap.org"),
        ("http://Localhost:8080/osm/{z}/{x}/{y}.png?key=a;b", "http://localhost:8080"),
        ("https://10.0.0.7/t?x={x}&y={y}&z={z}", "https://10.0.0.7"),
    ])
    func `An address names one server`(text: String, origin: String) throws {
        let tiles = try MapTiles(text, source: "Someone")
        #expect(tiles.template == text && tiles.origin == origin && tiles.source == "Someone")
    }

    @Test(arguments: [
        "", "https://tile.example.org/", "https://tile.example.org/{z}/{x}.png",
        "https://{s}.tile.example.org/{z}/{x}/{y}.png", "ftp://tile.example.org/{z}/{x}/{y}.png",
        "/tiles/{z}/{x}/{y}.png", "https:///{z}/{x}/{y}", "javascript:alert({x}{y}{z})",
        "https://user:secret@tile.example.org/{z}/{x}/{y}.png",
        "https://tile.example.org; script-src *;/{z}/{x}/{y}.png",
        "https://tile.example.org;script-src/{z}/{x}/{y}.png",
        "https://tile.example.org,*/{z}/{x}/{y}.png", "https://*.example.org/{z}/{x}/{y}.png",
        "https://tile.example.org'/{z}/{x}/{y}.png",
    ])
    func `Other texts are refused`(text: String) {
        #expect(throws: MapTiles.Fault.self) { try MapTiles(text, source: "") }
    }
}
