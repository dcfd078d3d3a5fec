/// Sends HTTP and HTTPS requests and returns complete responses.
///
/// ```swift
/// let client = try HTTPClient(userAgent: "letsmeet/1.0")
/// let response = try await client.send(HTTPRequest(.get, url))
/// ```
///
/// Many tasks can send requests at once. The client does not follow redirects, keep cookies or read
/// password files. It uses a proxy if the environment names one (`https_proxy`, `no_proxy`), as
/// self-hosters often set it. It decompresses compressed responses.
public final class HTTPClient: Sendable {
    private let loop: TransferLoop
    private let pool = HandlePool()
    private let userAgent: String
    private let guardian: AddressGuard?
    private let transcript: Transcript?

    /// Creates a client without connections.
    ///
    /// - Parameters:
    ///   - userAgent: the value of the `User-Agent` header.
    ///   - guardian: decides which addresses may be connected to when others choose the URLs; with
    ///     a guard, the client uses no proxy.
    ///   - transcript: records the conversation with servers; `nil` to record nothing.
    /// - Throws: ``TransportError/badHeader(name:)`` if the user agent does not fit on one header
    ///   line, ``TransportError/failed(_:)`` if libcurl cannot be initialized.
    public init(
        userAgent: String, guardian: AddressGuard? = nil, transcript: Transcript? = nil
    ) throws(TransportError) {
        self.transcript = transcript
        self.guardian = guardian
        try HTTPHeaders.Field(name: "User-Agent", value: userAgent).checkSendable()
        self.userAgent = userAgent
        loop = try TransferLoop()
    }

    /// Sends a request and waits for the complete response, whatever its status.
    ///
    /// Cancelling the task ends the exchange at once.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let transfer = try Transfer(
            request, userAgent: userAgent, guardian: guardian, transcript: transcript,
            pool: pool)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.start(transfer) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            transfer.cancel()
            loop.heedCancelling()
        }
        return try outcome.get()
    }
}

extension HTTPClient: CustomReflectable {
    /// Shows nothing, because a dump of the non-copyable values inside would end the process.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
