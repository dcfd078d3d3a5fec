import Foundation

/// Web addresses whose paths are secret, because anyone who knows them can send there.
public enum WebAddress {
    /// The secret parts of an address: its path, its query, and long words in them.
    public static func secrets(of text: String) -> [String] {
        guard let mark = text.firstRange(of: "://") else { return [] }
        let rest = text[mark.upperBound...].drop { $0 != "/" && $0 != "?" }
        let parts = rest.split { "?#".contains($0) }.map(String.init)
        let words = rest.split { "/?#&=".contains($0) }.map(String.init)
            .filter { $0.utf8.count >= wordOctetsMin }
        return (parts + words).flatMap { [$0, $0.removingPercentEncoding ?? $0] }
            .filter { $0 != "/" }
    }

    /// The minimum length of a secret word, in octets. Shorter words are usually folder names.
    private static let wordOctetsMin = 8

    /// The address in a form that can be shown: scheme, host and port, with an ellipsis for the
    /// rest.
    public static func withoutPath(_ text: String) -> String {
        guard let mark = text.firstRange(of: "://") else { return "(set)" }
        let rest = text[mark.upperBound...]
        let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let bare = host.split(separator: "@", omittingEmptySubsequences: false).last ?? host
        let isBare = rest.dropFirst(host.count).allSatisfy { $0 == "/" }
        return "\(text[..<mark.upperBound])\(bare)" + (isBare ? "" : "/…")
    }
}
