import Transport

/// The `Link` header (RFC 8288), in which the address of an answer's next page comes.
enum FoursquareLink {
    /// The address of the next page as it is written, nil on the last one. A link that says nothing
    /// of its relation, and a whole address without its brackets, are taken for the next page too;
    /// other words lead nowhere.
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

    /// The words of the `rel` parameter in lower case; nil when there is none.
    private static func relation(in parameters: Substring) -> [Substring]? {
        for parameter in parameters.lowercased().split(separator: ";") {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == "rel" else { continue }
            return parts[1].split { $0 == "\"" || $0 == "," || $0.isWhitespace }
        }
        return nil
    }
}
