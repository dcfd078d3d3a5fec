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
    public var fields: [(name: String, value: String)] = []
    /// The rest of the body, which is sent in pieces; `nil` if the answer ends with its body.
    var stream: (any AnswerStream)?

    /// The length of the body.
    public var byteCount: Int { body.readableBytes }

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

extension PageAnswer {
    /// The fewest bytes of a page that are worth compressing: less fits in one packet.
    private static let packedBytesMin = 1400

    /// The page, compressed if the client accepts that and it is worth it.
    func packed(for request: PageRequest) -> PageAnswer {
        guard mediaType.hasPrefix("text/html"), body.readableBytes >= Self.packedBytesMin,
            !fields.contains(where: { $0.name == "Content-Encoding" })
        else { return self }
        guard Conditions(request.fields).takeGzip, let packed = Gzip.packed(body) else {
            return self
        }
        var answer = PageAnswer(status, mediaType, body: packed)
        answer.fields = fields + [("Content-Encoding", "gzip")]
        return answer
    }
}

/// A problem report in the format of RFC 9457.
public struct Problem: Sendable {
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
        let request: String?
    }

    /// The problem as an answer. If it cannot be encoded, the answer has no body.
    var answer: PageAnswer { answer(to: nil) }

    /// The problem as an answer that names the number of the request.
    func answer(to request: PageRequest?) -> PageAnswer {
        let text = Text(
            title: status.reasonPhrase, status: Int(status.code), code: code, detail: detail,
            request: request?.number)
        return PageAnswer(
            status, "application/problem+json", (try? JSONText.of(text)).map { $0 + "\n" } ?? "")
    }
}
