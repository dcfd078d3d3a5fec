import Foundation

/// A request as received.
public struct FakeRequest: Sendable {
    /// The method, such as `GET` or `POST`.
    public let method: String
    /// The path, still percent-encoded.
    public let path: String
    /// The decoded fields of the query and of a posted form.
    public let fields: [String: String]
    /// The headers, with names in lower case.
    public let headers: [String: String]
    /// The body.
    public let body: [UInt8]

    /// Parses a request from its head, without the empty line at the end, and its body.
    init?(head: String, body: [UInt8]) {
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].components(separatedBy: " ")
        guard words.count == 3 else { return nil }
        let target = words[1].split(separator: "?", maxSplits: 1).map(String.init)
        method = words[0]
        path = target.first ?? "/"
        headers = FakeRequest.headers(of: lines)
        self.body = body
        var pairs = target.count > 1 ? target[1] : ""
        if headers["content-type"] == "application/x-www-form-urlencoded" {
            pairs += "&" + String(decoding: body, as: UTF8.self)
        }
        fields = FakeRequest.fields(of: pairs)
    }

    static func headers(of lines: [String]) -> [String: String] {
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return headers
    }

    private static func fields(of pairs: String) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in pairs.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map {
                $0.replacing("+", with: " ").removingPercentEncoding ?? ""
            }
            fields[parts.first ?? ""] = parts.count > 1 ? parts[1] : ""
        }
        return fields
    }
}

/// The response of a fake server.
public struct FakeAnswer: Sendable {
    /// The way in which the response is sent.
    public enum Manner: Sendable {
        /// Immediately.
        case whole
        /// After a delay.
        case late(milliseconds: Int)
        /// In chunks of this size, each with its length and without a total length.
        case chunked(bytes: Int)
        /// Without a length: the body ends when the connection closes.
        case untilClosed
        /// The head immediately, then the body in pieces of this size.
        case trickling(bytes: Int, everyMilliseconds: Int)
        /// The head and part of the body; then the connection closes.
        case brokenOff(afterBytes: Int)
        /// Nothing; the connection closes.
        case hangUp
        /// Nothing, until the client disconnects.
        case silent
    }

    /// The status code.
    public var status: Int
    /// The headers, in addition to the length of the body.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: [UInt8]
    /// The way in which the response is sent.
    public var manner: Manner

    /// Creates a response.
    public init(
        _ status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
        manner: Manner = .whole
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.manner = manner
    }

    /// Creates a response with a JSON body.
    public static func json(
        _ text: String, status: Int = 200, headers: [(name: String, value: String)] = [],
        manner: Manner = .whole
    ) -> FakeAnswer {
        FakeAnswer(
            status, headers: [("Content-Type", "application/json")] + headers,
            body: Array(text.utf8), manner: manner)
    }

    private var framing: [(name: String, value: String)] {
        switch manner {
        case .chunked: [("Transfer-Encoding", "chunked")]
        case .untilClosed: [("Connection", "close")]
        case .whole, .late, .trickling, .brokenOff, .hangUp, .silent:
            [("Content-Length", "\(body.count)")]
        }
    }

    /// The body in chunks, each with its length.
    func chunks(ofBytes count: Int) -> [UInt8] {
        let pieces = stride(from: 0, to: body.count, by: max(1, count)).map { start in
            body[start..<min(start + max(1, count), body.count)]
        }
        return pieces.flatMap { Array("\(String($0.count, radix: 16))\r\n".utf8) + $0 + [13, 10] }
            + Array("0\r\n\r\n".utf8)
    }

    var head: [UInt8] {
        let lines = (headers + framing).map { "\($0.name): \($0.value)" }
        return Array("HTTP/1.1 \(status) Fake\r\n\(lines.joined(separator: "\r\n"))\r\n\r\n".utf8)
    }
}
