import Logging
import NIOCore
import NIOHTTP1
import Timekeeping

/// Finds the page for a request, or says why there is none.
struct PageResponder: Sendable {
    let pages: [Page]
    /// The path under which others see the pages; empty where there is none.
    var folder: @Sendable () -> String = { "" }
    let clock: any WallClock
    let logger: Logger

    /// Whether the body of a request is read: what somebody filled in, and not too much of it.
    func takesBody(of head: HTTPRequestHead, octetsMax: Int) -> Bool {
        guard head.method == .POST, head.hasHost, page(for: head)?.page.takesForms == true else {
            return false
        }
        let lengths = head.headers["content-length"].map { Int($0) ?? .max }
        return lengths.allSatisfy { $0 <= octetsMax }
    }

    /// The answer to a request whose body, where one is taken, was read.
    func answer(to head: HTTPRequestHead, body: [UInt8]?) async -> PageAnswer {
        guard head.hasHost else {
            return Problem(.badRequest, code: "bad_request", "One Host is expected.").answer
        }
        guard let (page, rest) = page(for: head) else {
            return Problem(.notFound, code: "not_found", "There is no such page here.").answer
        }
        let isPost = head.method == .POST && page.takesForms
        guard isPost || head.method == .GET || head.method == .HEAD else {
            return Self.refusal(of: page)
        }
        guard !head.hasBody || body != nil else {
            return Problem(
                .payloadTooLarge, code: "no_body_wanted",
                isPost ? "That is too much." : "This page takes no request body."
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
            // A path may hold what only its reader may know.
            logger.error("a page failed: \(error)", metadata: ["path": "\(page.place)"])
            return Problem(
                .internalServerError, code: "internal", "That is a fault of letsmeet; see its log."
            ).answer
        }
    }

    private func page(for head: HTTPRequestHead) -> (page: Page, rest: String)? {
        let path = Self.path(of: head.uri)
        // A reverse proxy may hand on the path under which others see this installation.
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
            .methodNotAllowed, code: "method_not_allowed", "This page takes \(page.methods)."
        ).answer
        answer.fields = [("Allow", page.methods)]
        return answer
    }

    /// What stands behind the first question mark of a target.
    static func query(of target: String) -> Substring {
        target.drop { $0 != "?" }.dropFirst()
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
        var fields = HTTPHeaders([
            ("Date", HTTPDate.of(clock.now)), ("Content-Type", answer.mediaType),
            ("Content-Length", String(answer.body.readableBytes)),
            // What is shown is true for a moment, and is no document for a browser to run.
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
            ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
        ])
        for (name, value) in answer.fields { fields.replaceOrAdd(name: name, value: value) }
        return fields
    }
}

/// Dates as HTTP writes them (RFC 9110 section 5.6.7).
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The moment that a date names in the form that is written today; of others `nil`, which HTTP
    /// lets be taken for no date at all.
    static func moment(_ text: String) -> Moment? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]),
            let month = months.firstIndex(of: String(parts[2])), let year = Int(parts[3]),
            let date = try? CivilDate(year: year, month: month + 1, day: day),
            let wall = try? WallTime.parse("\(date)T\(parts[4])")
        else { return nil }
        return Moment(seconds: wall.secondsSince1970)
    }

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
