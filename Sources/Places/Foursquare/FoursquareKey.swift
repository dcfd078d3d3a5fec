public import Transport

/// A service key for Foursquare's Places API. It is shown nowhere.
public struct FoursquareKey: Equatable, Sendable {
    /// Where Foursquare explains its service keys.
    public static let help =
        "https://docs.foursquare.com/fsq-developers-users/reference/authentication"

    let value: String

    /// Takes a key as it was configured; spaces around it and a pasted `Bearer` do not count.
    ///
    /// - Throws: ``PlaceError/misconfigured(_:_:)`` for a key that cannot be sent, and for one of
    ///   the older interface v3, which the current one refuses.
    public init(_ text: String) throws(PlaceError) {
        let words = text.split(whereSeparator: \.isWhitespace)
        let value = words.count == 2 && words[0].lowercased() == "bearer" ? words[1] : words.first
        guard let value, words.last == value,
            value.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw .misconfigured(
                .foursquare,
                "FOURSQUARE_SERVICE_KEY is no key: it must be one word of ASCII letters and digits."
            )
        }
        guard !value.hasPrefix("fsq3") else {
            throw .misconfigured(
                .foursquare,
                "FOURSQUARE_SERVICE_KEY holds a key of Foursquare's older interface v3 (fsq3…). "
                    + "Make a service key in Foursquare's developer console: \(Self.help)")
        }
        self.value = String(value)
    }
}

extension FoursquareKey: CustomStringConvertible, CustomReflectable {
    /// Says only that there is one.
    public var description: String { "(set)" }

    /// Keeps dumps from showing the value.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where Foursquare's Places API is.
public struct FoursquareBase: Equatable, Sendable {
    /// The address that `/places/search` is added to.
    public let url: HTTPURL

    /// Takes an address as it was configured.
    ///
    /// - Throws: ``PlaceError/misconfigured(_:_:)`` for what is no address, and for the address of
    ///   the older interfaces v2 and v3.
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
                "LETSMEET_FOURSQUARE_URL is the address of an older interface (v2 or v3). Leave it "
                    + "out, and use a service key: \(FoursquareKey.help)")
        }
    }
}
