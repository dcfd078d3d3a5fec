import Transport

/// The `Link` header (RFC 8288), in which the address of an answer's next page comes.
enum FoursquareLink {
    /// The address of the next page as it is written, nil on the last one. A link that says nothing
    /// of its relation, or comes without its brackets, is taken for the next page too.
    static func next(in headers: HTTPHeaders) -> String? {
        headers.values(of: "Link").lazy.compactMap(next).first
    }

    private static func next(in value: String) -> String? {
        guard value.contains("<") else { return value.isEmpty ? nil : value }
        for link in value.split(separator: "<").map({ $0.split(separator: ">", maxSplits: 1) }) {
            guard let target = link.first, !target.allSatisfy(\.isWhitespace) else { continue }
            let relation = link.count == 2 ? relation(in: link[1]) : nil
            if relation?.contains("next") ?? true { return String(target) }
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
