/// The method of a request.
public enum HTTPMethod: String, Sendable {
    /// Reads without changing anything.
    case get = "GET"
    /// Sends a body.
    case post = "POST"
    /// Stores a body at the address. Sending it twice has the same effect as sending it once.
    case put = "PUT"
}

/// A complete HTTP request.
///
/// ```swift
/// var request = HTTPRequest(.get, try HTTPURL("https://places.example/places/search"))
/// request.headers.add("Accept", "application/json")
/// let response = try await client.send(request)
/// ```
///
/// The description shows no query, headers or body.
public struct HTTPRequest: Sendable {
    /// The default timeout of a request, in milliseconds.
    public static let timeoutMillisecondsDefault = 10_000
    /// The default limit on the size of a response body, in bytes.
    public static let bodyBytesMaxDefault = 4 << 20

    /// The method.
    public var method: HTTPMethod
    /// The address. A redirect is returned like any other response and is not followed.
    public var url: HTTPURL
    /// Header fields in addition to those that every request has.
    public var headers = HTTPHeaders()
    /// The body of a POST or PUT request.
    public var body: [UInt8] = []
    /// The time allowed from the start to the last byte, in milliseconds; at least 1.
    public var timeoutMilliseconds = HTTPRequest.timeoutMillisecondsDefault
    /// The largest response body that is accepted, in bytes after decompression.
    public var bodyBytesMax = HTTPRequest.bodyBytesMaxDefault

    /// True if the request changes something at the receiver, so that it matters whether it
    /// arrived. If so, a failure after sending is ``TransportError/unanswered(_:)``, and a response
    /// counts as soon as its status has arrived, even if its body is incomplete.
    public var isDelivery = false

    /// The queue in which the request waits; `nil` to send it immediately.
    public var queue: HTTPQueue?

    /// Creates a request without headers or body.
    public init(_ method: HTTPMethod, _ url: HTTPURL) {
        self.method = method
        self.url = url
    }
}

/// A queue of requests, which are sent in order. The next request is started when an earlier one
/// has its response.
public struct HTTPQueue: Sendable {
    /// The name of the queue. Requests with the same name wait for each other.
    public let name: String
    /// The number of requests in progress at once; at least one.
    public let concurrency: Int
    /// True if the request must still be sent, asked when its turn comes. The time in the queue
    /// does not count towards ``HTTPRequest/timeoutMilliseconds``.
    public let isWanted: @Sendable () -> Bool
    /// Receives the outcome before the next request is asked whether it must still be sent.
    let onEnd: @Sendable (Result<HTTPResponse, TransportError>) -> Void

    /// Creates a place in a queue.
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

    /// The description, for dumps.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: [description]) }
}

/// A complete HTTP response. Every status is a response, not an error.
public struct HTTPResponse: Equatable, Sendable {
    /// The status code, 100 to 999.
    public let status: Int
    /// The headers, without those of interim (1xx) responses.
    public let headers: HTTPHeaders
    /// The body, decompressed.
    public let body: [UInt8]

    /// Creates a response.
    public init(status: Int, headers: HTTPHeaders, body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
