/// What a request asks for.
public enum HTTPMethod: String, Sendable {
    /// Reads, and changes nothing.
    case get = "GET"
    /// Sends a body.
    case post = "POST"
    /// Sends a body to stand at that very address: twice is as good as once.
    case put = "PUT"
}

/// One request, whole.
///
/// ```swift
/// var request = HTTPRequest(.get, try HTTPURL("https://places.example/places/search"))
/// request.headers.add("Accept", "application/json")
/// let response = try await client.send(request)
/// ```
///
/// Its description shows neither query, headers nor body.
public struct HTTPRequest: Sendable {
    /// The time after which a request is given up, unless it says otherwise.
    public static let timeoutMillisecondsDefault = 10_000
    /// The most bytes of an answer that are read, unless the request says otherwise.
    public static let bodyBytesMaxDefault = 4 << 20

    /// What is asked.
    public var method: HTTPMethod
    /// Who is asked. A redirect is an answer like another and is not followed.
    public var url: HTTPURL
    /// Lines of the header beside those that every request has.
    public var headers = HTTPHeaders()
    /// What is sent with a POST or a PUT.
    public var body: [UInt8] = []
    /// The time from start to last byte, at least 1.
    public var timeoutMilliseconds = HTTPRequest.timeoutMillisecondsDefault
    /// The most bytes that the body of the answer may have, after decompression.
    public var bodyBytesMax = HTTPRequest.bodyBytesMaxDefault

    /// Whether it changes something at the receiver, so that it matters whether it arrived: then
    /// what broke off after it was sent is ``TransportError/unanswered(_:)``, and an answer whose
    /// status has come is one, however much of its body is missing.
    public var isDelivery = false

    /// Whom it waits for; without it nobody.
    public var queue: HTTPQueue?

    /// Describes a request without headers and body.
    public init(_ method: HTTPMethod, _ url: HTTPURL) {
        self.method = method
        self.url = url
    }
}

/// Requests that wait for each other, in the order in which they came: the next one lies ready when
/// one has its answer.
public struct HTTPQueue: Sendable {
    /// Those of one name wait for each other.
    public let name: String
    /// How many of them are under way at once; at least one.
    public let concurrency: Int
    /// Asked when its turn comes: whether it is to be sent still. The waiting is not counted in
    /// ``HTTPRequest/timeoutMilliseconds``.
    public let isWanted: @Sendable () -> Bool
    /// Told what came of it, before the next one is asked.
    let onEnd: @Sendable (Result<HTTPResponse, TransportError>) -> Void

    /// A place in a queue.
    public init(
        _ name: String, concurrency: Int, isWanted: @escaping @Sendable () -> Bool = { true },
        onEnd: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void = { _ in }
    ) {
        self.name = name
        self.concurrency = max(1, concurrency)
        self.isWanted = isWanted
        self.onEnd = onEnd
    }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// The method and the address without its query.
    public var description: String {
        "\(method.rawValue) \(url.scheme)://\(url.host):\(url.port)\(url.path)"
    }

    /// The description: what a dump may show.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: [description]) }
}

/// One answer, whole. Every status is an answer, not an error.
public struct HTTPResponse: Equatable, Sendable {
    /// The status, 100 to 999.
    public let status: Int
    /// The header, without the lines of interim answers.
    public let headers: HTTPHeaders
    /// The body, decompressed.
    public let body: [UInt8]

    /// Describes an answer.
    public init(status: Int, headers: HTTPHeaders, body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
