import Foundation

/// The server of map tiles: square pictures that browsers fetch while somebody looks at a map.
///
/// ```swift
/// try MapTiles("https://tile.openstreetmap.org/{z}/{x}/{y}.png", source: "…").origin
///     == "https://tile.openstreetmap.org"
/// ```
public struct MapTiles: Equatable, Sendable {
    /// The address of a tile, with `{z}`, `{x}` and `{y}` for its zoom, column and row.
    public let template: String
    /// The scheme, host and port.
    public let origin: String
    /// The host, for people.
    public let host: String
    /// The text that must be shown with the tiles.
    public let source: String

    /// Parses an address.
    ///
    /// - Throws: ``Fault`` with the expected form.
    public init(_ text: String, source: String) throws(Fault) {
        // Characters that end a value or a directive of Content-Security-Policy (CSP 3, 2.2.1) are
        // not allowed.
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isPlain, text.utf8.count <= Self.charactersMax,
            ["{z}", "{x}", "{y}"].allSatisfy(text.contains),
            let parts = URLComponents(
                string: text.replacing("{", with: "").replacing("}", with: "")),
            let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil,
            text.dropFirst(scheme.count + 3).prefix(host.count).elementsEqual(host),
            host.utf8.allSatisfy(Self.isOfHost)
        else { throw Fault() }
        template = text
        self.host = host.lowercased()
        origin = "\(scheme)://\(self.host)" + (parts.port.map { ":\($0)" } ?? "")
        self.source = source
    }

    private static let charactersMax = 500

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// The error of a text that is not the address of tiles.
    public struct Fault: Error, Equatable {
        /// The expected form, in a sentence.
        public let reason =
            "this is not an address of map tiles. Write it with {z}, {x} and {y}, such as "
            + "https://tile.openstreetmap.org/{z}/{x}/{y}.png."
    }
}

extension Configuration {
    /// The server of map tiles; `nil` if none is set.
    ///
    /// - Throws: ``SettingsError/badValue(name:reason:)``, which names the place of the setting.
    public func mapTiles() throws(SettingsError) -> MapTiles? {
        guard let text = self[.mapTiles] else { return nil }
        do throws(MapTiles.Fault) {
            return try MapTiles(text, source: self[.mapSource] ?? "")
        } catch {
            throw .badValue(name: place(of: .mapTiles), reason: error.reason)
        }
    }
}
