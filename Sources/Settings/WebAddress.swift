import Foundation

/// Addresses of the web whose paths are known only to those who may send there.
public enum WebAddress {
    /// What of an address nobody else is to see: its path, its query, and long words of either.
    public static func secrets(of text: String) -> [String] {
        guard let mark = text.firstRange(of: "://") else { return [] }
        let rest = text[mark.upperBound...].drop { $0 != "/" && $0 != "?" }
        let parts = rest.split { "?#".contains($0) }.map(String.init)
        let words = rest.split { "/?#&=".contains($0) }.map(String.init)
            .filter { $0.utf8.count >= wordOctetsMin }
        return (parts + words).flatMap { [$0, $0.removingPercentEncoding ?? $0] }
            .filter { $0 != "/" }
    }

    /// Shorter words are names of folders as a rule.
    private static let wordOctetsMin = 8

    /// An address as it may be shown: scheme, host and port, and dots for what stands behind them.
    public static func withoutPath(_ text: String) -> String {
        guard let mark = text.firstRange(of: "://") else { return "(set)" }
        let rest = text[mark.upperBound...]
        let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let bare = host.split(separator: "@", omittingEmptySubsequences: false).last ?? host
        let isBare = rest.dropFirst(host.count).allSatisfy { $0 == "/" }
        return "\(text[..<mark.upperBound])\(bare)" + (isBare ? "" : "/…")
    }
}
