import Transport

/// The `Link` header (RFC 8288), in which the address of an answer's next page comes.
enum FoursquareLink {
    /// The address of the next page as it is written, nil on the last one. What is not in brackets,
    /// or does not say that it is the next, leads nowhere: the key would go along.
    static func next(in headers: HTTPHeaders) -> String? {
        headers.values(of: "Link").lazy.compactMap(next).first
    }

    private static func next(in value: String) -> String? {
        for part in value.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
            let link = part.split(separator: ">", maxSplits: 1)
            guard link.count == 2, !link[0].allSatisfy(\.isWhitespace),
                relation(in: link[1])?.contains("next") == true
            else { continue }
            return String(link[0])
        }
        return nil
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
