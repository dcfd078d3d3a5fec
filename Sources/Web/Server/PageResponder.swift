import Logging
import NIOCore
import NIOHTTP1
import Timekeeping

/// Routes a request to its page, or answers with a problem.
struct PageResponder: Sendable {
    let pages: [Page]
    /// The public path prefix of the pages; empty if there is none.
    var folder: @Sendable () -> String = { "" }
    let clock: any WallClock
    let logger: Logger

    /// True if the body of a request is to be read: the page accepts forms and the declared length
    /// is within the limit.
    func takesBody(of head: HTTPRequestHead, octetsMax: Int) -> Bool {
        guard head.method == .POST, head.hasHost, page(for: head)?.page.takesForms == true else {
            return false
        }
        let lengths = head.headers["content-length"].map { Int($0) ?? .max }
        return lengths.allSatisfy { $0 <= octetsMax }
    }

    /// The answer to a request. `body` is `nil` if no body was read.
    func answer(to head: HTTPRequestHead, body: [UInt8]?) async -> PageAnswer {
        guard head.hasHost else {
            return Problem(
                .badRequest, code: "bad_request", "The request must have exactly one Host field."
            ).answer
        }
        guard let (page, rest) = page(for: head) else {
            return Problem(.notFound, code: "not_found", "This page does not exist.").answer
        }
        let isPost = head.method == .POST && page.takesForms
        guard isPost || head.method == .GET || head.method == .HEAD else {
            return Self.refusal(of: page)
        }
        guard !head.hasBody || body != nil else {
            return Problem(
                .payloadTooLarge, code: "no_body_wanted",
                isPost ? "The form is too large." : "This page accepts no request body."
            ).answer
        }
        let request = PageRequest(
            isPost: isPost, rest: rest, query: FormFields(Self.query(of: head.uri)),
            form: FormFields(String(decoding: body ?? [], as: UTF8.self)), fields: head.headers)
        do {
            return try await page.answer(request)
        } catch is CancellationError where Task.isCancelled {
            return PageAnswer(.serviceUnavailable, "text/plain", "")
        } catch {
            // Only the page's own path is logged: the rest of the path may hold a secret token.
            logger.error("a page failed: \(error)", metadata: ["path": "\(page.place)"])
            return Problem(
                .internalServerError, code: "internal",
                "letsmeetd failed to make this page. See its log."
            ).answer
        }
    }

    private func page(for head: HTTPRequestHead) -> (page: Page, rest: String)? {
        let path = Self.path(of: head.uri)
        // A reverse proxy may pass on the public path prefix.
        let folder = folder()
        let inner =
            !folder.isEmpty && path.hasPrefix(folder + "/") ? path.dropFirst(folder.count) : path
        for page in pages {
            if let rest = page.rest(of: inner) { return (page, rest) }
        }
        return nil
    }

    private static func refusal(of page: Page) -> PageAnswer {
        var answer = Problem(
            .methodNotAllowed, code: "method_not_allowed", "This page accepts \(page.methods)."
        ).answer
        answer.fields = [("Allow", page.methods)]
        return answer
    }

    /// The query of a request target: everything after the first question mark.
    static func query(of target: String) -> Substring {
        target.drop { $0 != "?" }.dropFirst()
    }

    /// The path of a request target in origin or absolute form (RFC 9112, 3.2), still
    /// percent-encoded.
    static func path(of target: String) -> Substring {
        var rest = target[...]
        for scheme in ["http://", "https://"] where rest.lowercased().hasPrefix(scheme) {
            rest = rest.dropFirst(scheme.count).drop { $0 != "/" }
        }
        return rest.prefix { $0 != "?" }
    }

    /// The header of an answer.
    func fields(of answer: PageAnswer) -> HTTPHeaders {
        var fields = HTTPHeaders([
            ("Date", HTTPDate.text(of: clock.now)), ("Content-Type", answer.mediaType),
            ("Content-Length", String(answer.body.readableBytes)),
            // A page is current only when it is made, and is not to be run as a document by a
            // browser.
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
            ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
        ])
        for (name, value) in answer.fields { fields.replaceOrAdd(name: name, value: value) }
        return fields
    }
}
