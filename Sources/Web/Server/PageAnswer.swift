import NIOCore
public import NIOHTTP1
import Planning
import Wording

/// What a page answers.
public struct PageAnswer: Sendable {
    let status: HTTPResponseStatus
    let mediaType: String
    let body: ByteBuffer
    /// Header fields besides the usual ones, or in the place of one of them.
    var fields: [(name: String, value: String)] = []

    /// An answer of some text.
    public init(_ status: HTTPResponseStatus, _ mediaType: String, _ text: String) {
        self.init(status, mediaType, body: ByteBuffer(string: text))
    }

    /// An answer of octets.
    init(_ status: HTTPResponseStatus, _ mediaType: String, body: ByteBuffer) {
        self.status = status
        self.mediaType = mediaType
        self.body = body
    }
}

/// A page: where it is, and what it answers.
public struct Page: Sendable {
    /// Its path, or that which is above its pages.
    let place: String
    /// Whether it answers for all that is below its path, too.
    private let isFolder: Bool
    /// Whether it takes what was filled in, by POST.
    let takesForms: Bool
    let answer: @Sendable (PageRequest) async throws -> PageAnswer

    /// A page at this path, which answers to GET and HEAD.
    public init(_ path: String, _ answer: @escaping @Sendable () async throws -> PageAnswer) {
        place = path
        isFolder = false
        takesForms = false
        self.answer = { _ in try await answer() }
    }

    /// Pages below a path that ends with a slash, which answer to GET and HEAD, and to POST where
    /// they take forms.
    public init(
        below folder: String, takesForms: Bool = true,
        _ answer: @escaping @Sendable (PageRequest) async throws -> PageAnswer
    ) {
        place = folder
        isFolder = true
        self.takesForms = takesForms
        self.answer = answer
    }

    /// The same page, whose answers are made inside of a scope.
    public func within(
        _ scope:
            @escaping @Sendable (
                _ answer: @Sendable () async throws -> PageAnswer
            ) async throws -> PageAnswer
    ) -> Page {
        Page(self) { request in try await scope { try await answer(request) } }
    }

    private init(
        _ page: Page, _ answer: @escaping @Sendable (PageRequest) async throws -> PageAnswer
    ) {
        place = page.place
        isFolder = page.isFolder
        takesForms = page.takesForms
        self.answer = answer
    }

    /// What of a path stands below the page's own; `nil` where it is another page's.
    func rest(of path: Substring) -> String? {
        guard isFolder else { return path == place ? "" : nil }
        return path.hasPrefix(place) ? String(path.dropFirst(place.count)) : nil
    }

    /// The methods that it answers to, as `Allow` names them.
    var methods: String { takesForms ? "GET, HEAD, POST" : "GET, HEAD" }
}

/// Why a request got no page, as programs read it (RFC 9457).
struct Problem {
    let status: HTTPResponseStatus
    let code: String
    let detail: String

    init(_ status: HTTPResponseStatus, code: String, _ detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    private struct Text: Encodable {
        let title: String
        let status: Int
        let code: String
        let detail: String
    }

    /// The problem as an answer; one that cannot be written has no text.
    var answer: PageAnswer {
        let text = Text(
            title: status.reasonPhrase, status: Int(status.code), code: code, detail: detail)
        return PageAnswer(
            status, "application/problem+json", (try? JSONText.of(text)).map { $0 + "\n" } ?? "")
    }
}
