/// Sends requests over HTTP and HTTPS and gives back whole answers.
///
/// ```swift
/// let client = try HTTPClient(userAgent: "letsmeet/1.0")
/// let response = try await client.send(HTTPRequest(.get, url))
/// ```
///
/// Requests may be sent from many tasks at once. No redirect is followed, no cookie kept, no
/// password file read; a proxy is used where the environment names one (`https_proxy`,
/// `no_proxy`), as self-hosters set it. Compressed answers are unpacked.
public final class HTTPClient: Sendable {
    private let loop: TransferLoop
    private let pool = HandlePool()
    private let userAgent: String
    private let guardian: AddressGuard?
    private let transcript: Transcript?

    /// A client without connections yet.
    ///
    /// - Parameters:
    ///   - userAgent: how the client names itself to servers.
    ///   - guardian: decides to which addresses connections are made, where others choose them;
    ///     then no proxy is used.
    ///   - transcript: hears what is said; nobody does without it.
    /// - Throws: ``TransportError/badHeader(name:)`` when the name does not fit in one line,
    ///   ``TransportError/failed(_:)`` when libcurl cannot be started.
    public init(
        userAgent: String, guardian: AddressGuard? = nil, transcript: Transcript? = nil
    ) throws(TransportError) {
        self.transcript = transcript
        self.guardian = guardian
        try HTTPHeaders.Field(name: "User-Agent", value: userAgent).checkSendable()
        self.userAgent = userAgent
        loop = try TransferLoop()
    }

    /// Sends a request and waits for its whole answer, whatever its status.
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
    /// Nothing: a dump that looked into what cannot be copied would end the process.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
