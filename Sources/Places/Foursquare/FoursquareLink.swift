import Transport

/// Parses the `Link` header (RFC 8288), which holds the URL of the next page.
enum FoursquareLink {
    /// The URL of the next page as written; nil on the last page. A link without a relation and a
    /// full URL without angle brackets also count as the next page. Anything else is ignored.
    static func next(in headers: HTTPHeaders) -> String? {
        headers.values(of: "Link").lazy.compactMap(next).first
    }

    private static func next(in value: String) -> String? {
        guard value.contains("<") else { return isWholeAddress(value) ? value : nil }
        for part in value.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
            let link = part.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false)
            guard link.count == 2, !link[0].allSatisfy(\.isWhitespace),
                relation(in: link[1])?.contains("next") ?? true
            else { continue }
            return String(link[0])
        }
        return nil
    }

    private static func isWholeAddress(_ value: String) -> Bool {
        value.lowercased().hasPrefix("http") && value.contains("://")
            && !value.contains { $0.isWhitespace || $0 == ";" }
    }

    /// The values of the `rel` parameter in lower case; nil if it is missing.
    private static func relation(in parameters: Substring) -> [Substring]? {
        for parameter in parameters.lowercased().split(separator: ";") {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == "rel" else { continue }
            return parts[1].split { $0 == "\"" || $0 == "," || $0.isWhitespace }
        }
        return nil
    }
}
