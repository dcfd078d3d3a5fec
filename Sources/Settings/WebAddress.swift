/// Addresses of the web whose paths are known only to those who may send there.
public enum WebAddress {
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
