import NIOHTTP1
import Timekeeping

/// What a request says of what its client has already, and of what it can read (RFC 9110, 12.5.3
/// and 13.1).
struct Conditions {
    private let fields: HTTPHeaders

    init(_ fields: HTTPHeaders) {
        self.fields = fields
    }

    /// Whether the client has what there is.
    ///
    /// - Parameters:
    ///   - tags: the entity tags under which it is known, in whatever coding.
    ///   - changedAt: when it was last changed, in whole seconds.
    /// - Returns: what the client says of tags; only where it says nothing, of times.
    func areMet(_ tags: [String], changedAt: Moment) -> Bool {
        let known = fields[canonicalForm: "if-none-match"]
        guard known.isEmpty else {
            return known.contains { text in
                // Of two that are weakly the same both are as good.
                let tag = text.hasPrefix("W/") ? text.dropFirst(2) : text
                return text == "*" || tags.contains { $0 == tag }
            }
        }
        guard let since = fields["if-modified-since"].first.flatMap(HTTPDate.moment) else {
            return false
        }
        return changedAt.seconds <= since.seconds
    }

    /// Whether the client reads what gzip packs.
    var takeGzip: Bool {
        let codings = fields[canonicalForm: "accept-encoding"].map { text in
            text.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
        }
        func isTaken(_ name: String) -> Bool? {
            codings.first { $0.first == name }.map { coding in
                let weight = coding.dropFirst().first { $0.hasPrefix("q=") }
                return (weight.flatMap { Double($0.dropFirst(2)) } ?? 1) > 0
            }
        }
        return isTaken("gzip") ?? isTaken("x-gzip") ?? isTaken("*") ?? false
    }
}
