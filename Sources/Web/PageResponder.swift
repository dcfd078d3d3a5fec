import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import Timekeeping

/// Finds the page for a request, or says why there is none.
struct PageResponder: Sendable {
    let pages: [Page]
    let clock: any WallClock
    let logger: Logger

    /// Answers one request.
    func respond(to request: Request, with writer: consuming ResponseWriter) async throws {
        let answer = await answer(
            to: request.method, path: request.uri.path, hasBody: Self.hasBody(request.headers))
        let head = HTTPResponse(status: answer.status, headerFields: fields(of: answer))
        guard request.method != .head, !answer.text.isEmpty else {
            return try await writer.writeResponse(head)
        }
        try await writer.write(
            response: head, body: ResponseBody(byteBuffer: ByteBuffer(string: answer.text)))
    }

    private func answer(
        to method: HTTPRequest.Method, path: String, hasBody: Bool
    ) async -> PageAnswer {
        guard let page = pages.first(where: { $0.path == path }) else {
            return Problem(.notFound, code: "not_found", "There is no such page here.").answer
        }
        guard [.get, .head].contains(method) else {
            var answer = Problem(
                .methodNotAllowed, code: "method_not_allowed", "This page takes GET and HEAD."
            ).answer
            answer.fields.append(HTTPField(name: .allow, value: "GET, HEAD"))
            return answer
        }
        guard !hasBody else {
            return Problem(
                .contentTooLarge, code: "no_body_wanted", "This page takes no request body."
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

    static func hasBody(_ fields: HTTPFields) -> Bool {
        fields[.transferEncoding] != nil || fields[.contentLength].map { $0 != "0" } ?? false
    }

    private func fields(of answer: PageAnswer) -> HTTPFields {
        var fields: HTTPFields = [
            .date: HTTPDate.of(clock.now),
            .contentType: answer.mediaType,
            .contentLength: String(answer.text.utf8.count),
            // What is shown is true for a moment, and is no document for a browser to run.
            .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
        ]
        for field in answer.fields { fields.append(field) }
        return fields
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
