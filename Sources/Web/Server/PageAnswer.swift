import NIOCore
public import NIOHTTP1
import Planning
import Wording

/// The answer of a page.
public struct PageAnswer: Sendable {
    let status: HTTPResponseStatus
    let mediaType: String
    let body: ByteBuffer
    /// Header fields that are added to the usual ones or replace them.
    var fields: [(name: String, value: String)] = []

    /// An answer with a text body.
    public init(_ status: HTTPResponseStatus, _ mediaType: String, _ text: String) {
        self.init(status, mediaType, body: ByteBuffer(string: text))
    }

    /// An answer with a binary body.
    init(_ status: HTTPResponseStatus, _ mediaType: String, body: ByteBuffer) {
        self.status = status
        self.mediaType = mediaType
        self.body = body
    }
}

/// A page: its path and its handler.
public struct Page: Sendable {
    /// Its path, or the path prefix of a group of pages.
    let place: String
    /// True if it also answers for everything below its path.
    private let isFolder: Bool
    /// True if it accepts forms by POST.
    let takesForms: Bool
    let answer: @Sendable (PageRequest) async throws -> PageAnswer

    /// A page at this path. It answers GET and HEAD.
    public init(_ path: String, _ answer: @escaping @Sendable () async throws -> PageAnswer) {
        place = path
        isFolder = false
        takesForms = false
        self.answer = { _ in try await answer() }
    }

    /// A group of pages below a path that ends with a slash. It answers GET and HEAD, and also POST
    /// if it accepts forms.
    public init(
        below folder: String, takesForms: Bool = true,
        _ answer: @escaping @Sendable (PageRequest) async throws -> PageAnswer
    ) {
        place = folder
        isFolder = true
        self.takesForms = takesForms
        self.answer = answer
    }

    /// The same page with its handler run inside `scope`.
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

    /// The part of a path below the page's own path; `nil` if the path belongs to another page.
    func rest(of path: Substring) -> String? {
        guard isFolder else { return path == place ? "" : nil }
        return path.hasPrefix(place) ? String(path.dropFirst(place.count)) : nil
    }

    /// The accepted methods, in the format of the header field `Allow`.
    var methods: String { takesForms ? "GET, HEAD, POST" : "GET, HEAD" }
}

/// A problem report in the format of RFC 9457.
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

    /// The problem as an answer. If it cannot be encoded, the answer has no body.
    var answer: PageAnswer {
        let text = Text(
            title: status.reasonPhrase, status: Int(status.code), code: code, detail: detail)
        return PageAnswer(
            status, "application/problem+json", (try? JSONText.of(text)).map { $0 + "\n" } ?? "")
    }
}
