import Logging
import NIOCore
import NIOHTTP1
import Planning
import Storage
import Synchronization
import Timekeeping

/// Routes a request to its page, or answers with a problem.
struct PageResponder: Sendable {
    /// Shows a problem to people.
    typealias ProblemPage = @Sendable (Problem, PageRequest) async -> PageAnswer?

    private let router: Router
    /// The addresses of the pages; `nil` for any host and no path prefix.
    private let site: @Sendable () -> SiteAddress?
    private let problemPage: ProblemPage
    /// True if everybody who reaches this address may ask for the health check and the metrics.
    private let areOperationsOpen: Bool
    /// The folder for the files of forms; `nil` to take none.
    private let uploads: String?
    private let clock: any WallClock
    private let logger: Logger
    private let numbers = RequestNumbers()

    init(
        _ routes: [Route], site: @escaping @Sendable () -> SiteAddress? = { nil },
        problemPage: @escaping ProblemPage = { _, _ in nil }, areOperationsOpen: Bool = false,
        uploads: String? = nil, clock: any WallClock, logger: Logger
    ) {
        self.areOperationsOpen = areOperationsOpen
        self.uploads = uploads
        router = Router(routes)
        self.site = site
        self.problemPage = problemPage
        self.clock = clock
        self.logger = logger
    }

    /// The receiver of the body of a request; `nil` if it is not to be read: the page accepts no
    /// form of this type or length.
    func body(of head: HTTPRequestHead, _ limits: PageLimits) -> FormBody? {
        guard head.method == .POST, head.hasHost,
            case .route(let route, _) = router.match(.post, path(of: head))
        else { return nil }
        return FormBody(head, filesIn: route.takesFiles ? uploads : nil, limits)
    }

    /// The answer to a client that may not send the files of its form; `nil` if it may, or if the
    /// form takes no files.
    func refusal(toRead head: HTTPRequestHead, from peer: String) async -> PageAnswer? {
        guard case .route(let route, let parameters) = router.match(.post, path(of: head)),
            let admission = route.admission
        else { return nil }
        var request = request(head, nil, peer)
        request.parameters = parameters
        guard isForThisSite(request) else { return await show(Self.otherHost, request) }
        do {
            return try await admission(request)
        } catch {
            return await failure(of: route, request, error)
        }
    }

    /// True if a body that is sent with this head has to wait until the client is admitted.
    func mustAdmit(_ head: HTTPRequestHead) -> Bool {
        guard case .route(let route, _) = router.match(.post, path(of: head)) else { return false }
        return route.takesFiles
    }

    /// True if a request is for the health check or the metrics.
    func isOperation(_ head: HTTPRequestHead) -> Bool {
        guard case .route(let route, _) = router.match(.get, path(of: head)) else { return false }
        return route.isOperation
    }

    /// True if an address may hold any number of connections.
    func isTrusted(_ address: String) -> Bool { site()?.isTrusted(address) == true }

    /// The answer to a request.
    ///
    /// - Parameters:
    ///   - head: the head of the request.
    ///   - form: the form in the body; `nil` if none was read.
    ///   - peer: the address of the other end of the connection.
    /// - Returns: the answer, which may be a problem.
    func answer(
        to head: HTTPRequestHead, form: ReceivedForm?, from peer: String = ""
    ) async -> PageAnswer {
        let request = request(head, form, peer)
        defer { form?.removeFiles() }
        guard head.hasHost else {
            return await show(
                Problem(
                    .badRequest, code: "bad_request",
                    "The request must have exactly one Host field."), request)
        }
        guard isOperation(head) || isForThisSite(request) else {
            return await show(Self.otherHost, request)
        }
        let verb: Verb? =
            switch head.method {
            case .GET, .HEAD: .get
            case .POST: .post
            default: nil
            }
        switch router.match(verb, request.path) {
        case .none:
            return await show(
                Problem(.notFound, code: "not_found", "This page does not exist."), request)
        case .otherVerbs(let verbs): return await refusal(verbs, request)
        case .route(let route, let parameters):
            var request = request
            request.parameters = parameters
            guard !head.hasBody || form != nil else {
                return await show(
                    verb == .post
                        ? Problem(
                            .payloadTooLarge, code: "too_large",
                            "The form is too large: at most 64 KiB, and 25 MiB with files.")
                        : Problem(
                            .payloadTooLarge, code: "no_body_wanted",
                            "This page accepts no request body."), request)
            }
            guard !route.isOperation || mayOperate(head, peer) else {
                return await show(
                    Problem(.notFound, code: "not_found", "This page does not exist."), request)
            }
            var answer = await answer(request, by: route)
            if request.isForwardedSecurely { answer.fields.append(Self.strictTransport) }
            return answer
        }
    }

    /// True if the health check and the metrics are open to a request: on an address of their own,
    /// or for programs on this machine that do not pass on requests of others.
    private func mayOperate(_ head: HTTPRequestHead, _ peer: String) -> Bool {
        let isLocal = peer.isEmpty || peer.hasPrefix("127.") || peer == "::1"
        let isForwarded = head.headers.contains { $0.name.lowercased().hasPrefix("x-forwarded-") }
        return areOperationsOpen || isLocal && !isForwarded
    }

    private func answer(_ request: PageRequest, by route: Route) async -> PageAnswer {
        do {
            let answer = try await route.handler(request)
            if answer.status.code >= 400 { note(answer.status, of: route, request) }
            return answer.packed(for: request)
        } catch is CancellationError where Task.isCancelled {
            return PageAnswer(.serviceUnavailable, "text/plain", "")
        } catch {
            return await failure(of: route, request, error)
        }
    }

    /// Logs a refused request with the number that its page names.
    private func note(_ status: HTTPResponseStatus, of route: Route, _ request: PageRequest) {
        logger.debug(
            "a request was refused",
            metadata: [
                "path": "\(route.pattern.text)", "status": "\(status.code)",
                "request": "\(request.number)",
            ])
    }

    private func failure(
        of route: Route, _ request: PageRequest, _ error: any Error
    ) async -> PageAnswer {
        // Only the route's own path is logged: the path may hold a secret token.
        logger.error(
            "a page failed: \(error)",
            metadata: ["path": "\(route.pattern.text)", "request": "\(request.number)"])
        return await show(Problem(failure: error, number: request.number), request)
    }

    private static let otherHost = Problem(
        .misdirectedRequest, code: "other_host",
        "This server is not the one that the address names.")

    /// True if the host, and that of a target in absolute form (RFC 9112, 3.2.2), is this site.
    private func isForThisSite(_ request: PageRequest) -> Bool {
        guard let site = site() else { return true }
        // Only programs leave the host out, as HTTP/1.0 allows. A browser names that of the page.
        return [request.fields["host"].first, request.authority].compactMap(\.self)
            .allSatisfy(site.isOwn)
    }

    private func request(
        _ head: HTTPRequestHead, _ form: ReceivedForm?, _ peer: String
    ) -> PageRequest {
        let query = Self.query(of: head.uri)
        let site = site()
        var request = PageRequest(
            verb: head.method == .POST ? .post : .get, path: String(path(of: head)),
            query: FormFields(query),
            form: form?.fields ?? FormFields(""), files: form?.files ?? [],
            client: site?.client(behind: peer, forwarded: head.headers["x-forwarded-for"])
                ?? peer,
            number: numbers.next(), queryText: String(query),
            authority: Self.authority(of: head.uri), fields: head.headers)
        request.isForwardedSecurely =
            site?.isTrusted(peer) == true
            && head.headers["x-forwarded-proto"].last?.lowercased() == "https"
        return request
    }

    /// The path of a request, without the public path prefix that a reverse proxy may pass on.
    private func path(of head: HTTPRequestHead) -> Substring {
        let path = Self.path(of: head.uri)
        let folder = site()?.folder ?? ""
        if !folder.isEmpty, path == folder { return "/" }
        return !folder.isEmpty && path.hasPrefix(folder + "/")
            ? path.dropFirst(folder.count) : path
    }

    private func refusal(_ verbs: [Verb], _ request: PageRequest) async -> PageAnswer {
        let methods = verbs.contains(.get) ? "GET, HEAD" : ""
        let all = [methods, verbs.contains(.post) ? "POST" : ""].filter { !$0.isEmpty }
            .joined(separator: ", ")
        var answer = await show(
            Problem(.methodNotAllowed, code: "method_not_allowed", "This page accepts \(all)."),
            request)
        answer.fields.append(("Allow", all))
        return answer
    }

    private func show(_ problem: Problem, _ request: PageRequest) async -> PageAnswer {
        guard request.wantsHTML, let page = await problemPage(problem, request) else {
            return problem.answer(to: request)
        }
        return page
    }

    /// The query of a request target: everything after the first question mark.
    static func query(of target: String) -> Substring {
        target.drop { $0 != "?" }.dropFirst()
    }

    /// The path of a request target in origin or absolute form (RFC 9112, 3.2), still
    /// percent-encoded.
    static func path(of target: String) -> Substring {
        guard let rest = withoutScheme(target) else { return target.prefix { $0 != "?" } }
        let path = rest.drop { !"/?".contains($0) }.prefix { $0 != "?" }
        return path.isEmpty ? "/" : path
    }

    /// The host and port of a request target in absolute form; `nil` in another form.
    static func authority(of target: String) -> String? {
        withoutScheme(target).map { String($0.prefix { !"/?".contains($0) }) }
    }

    private static func withoutScheme(_ target: String) -> Substring? {
        guard !target.hasPrefix("/") else { return nil }
        return ["http://", "https://"].first { target.lowercased().hasPrefix($0) }
            .map { target.dropFirst($0.count) }
    }

    private static let strictTransport = ("Strict-Transport-Security", "max-age=31536000")

    /// The header of an answer.
    func fields(of answer: PageAnswer) -> HTTPHeaders {
        var fields = HTTPHeaders([
            ("Date", HTTPDate.text(of: clock.now)), ("Content-Type", answer.mediaType),
            // A page is current only when it is made, and is not to be run as a document by a
            // browser.
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
            ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
        ])
        if answer.stream == nil {
            fields.add(name: "Content-Length", value: String(answer.body.readableBytes))
        }
        if site()?.isSecure == true {
            let (name, value) = Self.strictTransport
            fields.add(name: name, value: value)
        }
        for (name, value) in answer.fields where name != "Set-Cookie" {
            fields.replaceOrAdd(name: name, value: value)
        }
        for (name, value) in answer.fields where name == "Set-Cookie" {
            fields.add(name: name, value: value)
        }
        return fields
    }
}

/// Numbers requests, so that an error page and the log name the same one.
private final class RequestNumbers: Sendable {
    private let count = Atomic<UInt64>(0)

    func next() -> String {
        String(count.wrappingAdd(1, ordering: .relaxed).newValue, radix: 36)
    }
}

extension Problem {
    /// The problem of a page that failed.
    fileprivate init(failure error: any Error, number: String) {
        switch ((error as? Refusal)?.fault ?? error) as? StoreError {
        case .full:
            self.init(
                .serviceUnavailable, code: "disk_full",
                "Nothing was saved, because this installation has no room left. Try again later.")
        case .busy:
            self.init(
                .serviceUnavailable, code: "busy",
                "Nothing was saved, because too much is going on. Try again in a moment.")
        case .late:
            self.init(
                .serviceUnavailable, code: "too_slow",
                "Nothing was saved, because the request took too long. Try again in a moment, or "
                    + "ask for less.")
        default:
            self.init(
                .internalServerError, code: "internal",
                "letsmeetd failed to make this page. Its log says more about request "
                    + "\(number).")
        }
    }
}
