public import Transport

/// A service key for Foursquare's Places API. It is never shown.
public struct FoursquareKey: Equatable, Sendable {
    /// The page on which Foursquare explains its service keys.
    public static let help =
        "https://docs.foursquare.com/fsq-developers-users/reference/authentication"

    let value: String

    /// Parses a key from the configuration. Surrounding spaces and a pasted `Bearer` are ignored.
    ///
    /// - Throws: ``PlaceError/misconfigured(_:_:)`` for a key that cannot be sent, and for a key of
    ///   the older API v3, which the current API refuses.
    public init(_ text: String) throws(PlaceError) {
        let words = text.split(whereSeparator: \.isWhitespace)
        let value = words.count == 2 && words[0].lowercased() == "bearer" ? words[1] : words.first
        guard let value, words.last == value,
            value.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw .misconfigured(
                .foursquare,
                "FOURSQUARE_SERVICE_KEY is not a valid key: it must be one word of printable ASCII "
                    + "characters.")
        }
        guard !value.hasPrefix("fsq3") else {
            throw .misconfigured(
                .foursquare,
                "FOURSQUARE_SERVICE_KEY holds a key of Foursquare's older API v3 (fsq3…). "
                    + "Create a service key in Foursquare's developer console: \(Self.help)")
        }
        self.value = String(value)
    }
}

extension FoursquareKey: CustomStringConvertible, CustomReflectable {
    /// A fixed text that does not reveal the key.
    public var description: String { "(set)" }

    /// Hides the key from dumps.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The address of Foursquare's Places API.
public struct FoursquareBase: Equatable, Sendable {
    /// The URL to which `/places/search` is appended.
    public let url: HTTPURL

    /// Parses an address from the configuration.
    ///
    /// - Throws: ``PlaceError/misconfigured(_:_:)`` for an invalid address, and for an address of
    ///   the older APIs v2 and v3.
    public init(_ text: String) throws(PlaceError) {
        do {
            url = try HTTPURL(text)
        } catch {
            throw .misconfigured(
                .foursquare, "LETSMEET_FOURSQUARE_URL is wrong. \(error.message)")
        }
        let isOld = url.path.split(separator: "/").contains { $0 == "v2" || $0 == "v3" }
        guard !isOld, url.host != "api.foursquare.com" else {
            throw .misconfigured(
                .foursquare,
                "LETSMEET_FOURSQUARE_URL is the address of an older API (v2 or v3). Remove it, and "
                    + "use a service key: \(FoursquareKey.help)")
        }
    }
}
