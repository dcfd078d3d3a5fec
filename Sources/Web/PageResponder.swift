import Logging
import NIOHTTP1
import Timekeeping

/// Finds the page for a request, or says why there is none.
struct PageResponder: Sendable {
    let pages: [Page]
    let clock: any WallClock
    let logger: Logger

    /// The answer to a request.
    func answer(to head: HTTPRequestHead) async -> PageAnswer {
        guard head.hasHost else {
            return Problem(.badRequest, code: "bad_request", "One Host is expected.").answer
        }
        let path = Self.path(of: head.uri)
        guard let page = pages.first(where: { $0.path == path }) else {
            return Problem(.notFound, code: "not_found", "There is no such page here.").answer
        }
        guard head.method == .GET || head.method == .HEAD else {
            var answer = Problem(
                .methodNotAllowed, code: "method_not_allowed", "This page takes GET and HEAD."
            ).answer
            answer.fields = [("Allow", "GET, HEAD")]
            return answer
        }
        guard !head.hasBody else {
            return Problem(
                .payloadTooLarge, code: "no_body_wanted", "This page takes no request body."
            ).answer
        }
        do {
            return try await page.answer()
        } catch {
            logger.error("a page failed: \(error)", metadata: ["path": "\(page.path)"])
            return Problem(
                .internalServerError, code: "internal", "That is a fault of letsmeet; see its log."
            ).answer
        }
    }

    /// The path of a target in origin or absolute form (RFC 9112 section 3.2), as it is written.
    static func path(of target: String) -> Substring {
        var rest = target[...]
        for scheme in ["http://", "https://"] where rest.lowercased().hasPrefix(scheme) {
            rest = rest.dropFirst(scheme.count).drop { $0 != "/" }
        }
        return rest.prefix { $0 != "?" }
    }

    /// The header of an answer.
    func fields(of answer: PageAnswer) -> HTTPHeaders {
        HTTPHeaders(
            [
                ("Date", HTTPDate.of(clock.now)), ("Content-Type", answer.mediaType),
                ("Content-Length", String(answer.text.utf8.count)),
                // What is shown is true for a moment, and is no document for a browser to run.
                ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
                ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
            ] + answer.fields)
    }
}

/// Dates as HTTP writes them (RFC 9110 section 5.6.7).
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func of(_ moment: Moment) -> String {
        let wall = WallTime(secondsSince1970: moment.seconds)
        let date = wall.date
        let day = date.day < 10 ? "0\(date.day)" : "\(date.day)"
        let year = String("000\(date.year)".suffix(4))
        return "\(date.weekday.name.prefix(3)), \(day) \(months[date.month - 1]) \(year) "
            + "\(wall.time) GMT"
    }
}
