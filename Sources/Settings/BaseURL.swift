import Foundation

/// The public address of letsmeetd, at which the receivers of messages reach it: usually that of a
/// reverse proxy.
///
/// ```swift
/// try BaseURL("https://example.org/meet/").text == "https://example.org/meet"
/// ```
public struct BaseURL: Equatable, Sendable {
    /// The maximum number of characters, so that links fit on one line of a mail header.
    static let charactersMax = 200

    /// The first parts of the paths of all pages.
    public static let reserved: Set<String> = [
        "a", "about", "cal", "circles", "demo", "enter", "events", "feed", "g", "healthz",
        "invited", "m",
        "manifest.webmanifest", "me",
        "meetings", "metrics", "new", "offline", "passkeys", "pecks", "people", "places",
        "sign-in", "sign-out", "sw.js", "tasks", "u", "welcome",
    ]

    /// The address without a slash at its end.
    public let text: String
    /// The path: empty, or with a slash at its beginning and none at its end.
    public let path: String

    /// Parses an address: `http` or `https`, a host, and optionally a port and a path.
    ///
    /// - Throws: ``Fault`` with the expected form.
    public init(_ text: String) throws(Fault) {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 }
        guard isPlain, text.utf8.count <= Self.charactersMax,
            let parts = URLComponents(string: text),
            ["http", "https"].contains(parts.scheme?.lowercased()),
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil,
            parts.query == nil, parts.fragment == nil,
            // letsmeet's own pages use these paths. Behind a proxy that removes the base path, a
            // base path with the same name would be ambiguous.
            !Self.reserved.contains(
                parts.percentEncodedPath.split(separator: "/").first.map(String.init) ?? "")
        else { throw Fault() }
        self.text = text.trimmingSuffix("/")
        path = parts.percentEncodedPath == "/" ? "" : parts.percentEncodedPath.trimmingSuffix("/")
    }

    /// True if connections to the address are encrypted.
    public var isSecure: Bool { text.lowercased().hasPrefix("https:") }

    /// The error of a text that is not a valid address.
    public struct Fault: Error, Equatable {
        /// The expected form, in a sentence.
        public let reason =
            "this is not a valid public address. Write the address at which others reach this "
            + "installation, such as https://meet.example.org."
    }
}

extension Configuration {
    /// The public address of letsmeetd; `nil` if it is not set.
    ///
    /// - Throws: ``SettingsError/badValue(name:reason:)``, which names the place of the setting.
    public func baseURL() throws(SettingsError) -> BaseURL? {
        guard let text = self[.baseURL] else { return nil }
        do throws(BaseURL.Fault) {
            return try BaseURL(text)
        } catch {
            throw .badValue(name: place(of: .baseURL), reason: error.reason)
        }
    }
}
