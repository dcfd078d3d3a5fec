public import NIOHTTP1
import Planning
import Wording

/// What a page answers.
public struct PageAnswer: Sendable {
    let status: HTTPResponseStatus
    let mediaType: String
    let text: String
    /// Header fields besides the usual ones.
    var fields: [(name: String, value: String)] = []

    /// An answer of some text.
    public init(_ status: HTTPResponseStatus, _ mediaType: String, _ text: String) {
        self.status = status
        self.mediaType = mediaType
        self.text = text
    }
}

/// A page: where it is, and what it answers to GET and HEAD.
public struct Page: Sendable {
    let path: String
    let answer: @Sendable () async throws -> PageAnswer

    /// A page at this path.
    public init(_ path: String, _ answer: @escaping @Sendable () async throws -> PageAnswer) {
        self.path = path
        self.answer = answer
    }
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
