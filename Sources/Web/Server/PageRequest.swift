import NIOHTTP1

/// A request to a page.
public struct PageRequest: Sendable {
    /// The method. HEAD counts as GET.
    public let verb: Verb
    /// The path below the public path prefix, still percent-encoded.
    public let path: String
    /// The fields of the query.
    public let query: FormFields
    /// The fields of the submitted form.
    public let form: FormFields
    /// The files of the submitted form. They are removed after the answer.
    public var files: [UploadedFile] = []
    /// The address of the client: that of the connection, or the one that a trusted proxy names.
    public let client: String
    /// A number that the log and error pages name.
    public let number: String
    /// The query as it was sent.
    var queryText = ""
    /// The host and port in the request target; `nil` if it is only a path.
    var authority: String?
    /// True if a trusted proxy received it over an encrypted connection.
    var isForwardedSecurely = false
    /// The parameters of the route's path, decoded.
    var parameters: [String: String] = [:]
    /// The header fields.
    let fields: HTTPHeaders

    /// The path and query, below the public path prefix.
    var target: String { queryText.isEmpty ? path : "\(path)?\(queryText)" }

    /// The parameter of the route with this name, decoded; empty if there is none.
    public subscript(name: String) -> String { parameters[name] ?? "" }

    /// The value of a cookie (RFC 6265, 5.4); `nil` if it was not sent.
    public func cookie(_ name: String) -> String? {
        for field in fields["cookie"] {
            for pair in field.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == name
                else { continue }
                return String(parts[1])
            }
        }
        return nil
    }

    /// True if the client is a browser that shows pages, and not a program.
    public var wantsHTML: Bool {
        fields["accept"].contains { $0.lowercased().contains("text/html") }
    }

    /// The languages that the client accepts, best first (RFC 9110, 12.5.4).
    public var languages: [String] {
        let ranges = fields[canonicalForm: "accept-language"].compactMap {
            text -> (String, Double)? in
            let parts = text.split(separator: ";")
            guard let tag = parts.first?.filter({ !$0.isWhitespace }), !tag.isEmpty
            else { return nil }
            let weight = parts.dropFirst().first.flatMap { part in
                Double(part.drop { $0 != "=" }.dropFirst())
            }
            return (tag, weight ?? 1)
        }
        return ranges.enumerated().sorted {
            ($1.element.1, $0.offset) < ($0.element.1, $1.offset)
        }.map(\.element.0)
    }
}
