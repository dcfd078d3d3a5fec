import Foundation

/// Under which address those whom letters reach see what the daemon answers: that of a reverse
/// proxy, as a rule.
///
/// ```swift
/// try BaseURL("https://example.org/meet/").text == "https://example.org/meet"
/// ```
public struct BaseURL: Equatable, Sendable {
    /// The most characters: links are to fit into a line of a mail's header.
    static let charactersMax = 200

    /// The address without a slash at its end.
    public let text: String
    /// Its path: empty, or beginning with a slash and ending with none.
    public let path: String

    /// Reads an address: `http` or `https`, a host, perhaps a port and a path.
    ///
    /// - Throws: ``Fault`` with what is expected.
    public init(_ text: String) throws(Fault) {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 }
        guard isPlain, text.utf8.count <= Self.charactersMax,
            let parts = URLComponents(string: text),
            ["http", "https"].contains(parts.scheme?.lowercased()),
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil,
            parts.query == nil, parts.fragment == nil,
            // There are the pages themselves: with a proxy nobody could tell which is meant.
            parts.percentEncodedPath.firstMatch(of: /^\/([gu]|cal)(\/|$)/) == nil
        else { throw Fault() }
        self.text = text.trimmingSuffix("/")
        path = parts.percentEncodedPath == "/" ? "" : parts.percentEncodedPath.trimmingSuffix("/")
    }

    /// Whether what goes there and back is read by nobody else.
    public var isSecure: Bool { text.lowercased().hasPrefix("https:") }

    /// Why a text is no such address.
    public struct Fault: Error, Equatable {
        /// What is expected, in a sentence.
        public let reason =
            "the address is expected at which others see this installation, such as "
            + "https://meet.example.org."
    }
}

extension Configuration {
    /// Under which address others see what the daemon answers; `nil` where that is not set.
    ///
    /// - Throws: ``SettingsError/badValue(name:reason:)``, which says where it is set.
    public func baseURL() throws(SettingsError) -> BaseURL? {
        guard let text = self[.baseURL] else { return nil }
        do throws(BaseURL.Fault) {
            return try BaseURL(text)
        } catch {
            throw .badValue(name: place(of: .baseURL), reason: error.reason)
        }
    }
}
