import NIOHTTP1
import Timekeeping

/// The conditions and accepted codings in the header of a request (RFC 9110, 12.5.3 and 13.1).
struct Conditions {
    private let fields: HTTPHeaders

    init(_ fields: HTTPHeaders) {
        self.fields = fields
    }

    /// True if the client's copy is current, so that the answer is 304 Not Modified.
    ///
    /// - Parameters:
    ///   - tags: the entity tags of the current version, one for each coding.
    ///   - changedAt: the time of the last change, in whole seconds.
    ///   - now: the current time, for dates with a year of two digits.
    /// - Returns: the result of `If-None-Match`; if that field is missing, of `If-Modified-Since`.
    func areMet(_ tags: [String], changedAt: Moment, now: Moment? = nil) -> Bool {
        let known = fields[canonicalForm: "if-none-match"]
        guard known.isEmpty else {
            return known.contains { text in
                // Weak comparison (RFC 9110, 8.8.3.2): the prefix `W/` makes no difference.
                let tag = text.hasPrefix("W/") ? text.dropFirst(2) : text
                return text == "*" || tags.contains { $0 == tag }
            }
        }
        guard
            let since = fields["if-modified-since"].first.flatMap({
                HTTPDate.parse($0, near: now)
            })
        else { return false }
        return changedAt.seconds <= since.seconds
    }

    /// True if the client accepts gzip.
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
