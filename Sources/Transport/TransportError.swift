/// An error of an exchange that brought no response. No message contains a header, a query or a
/// body.
public enum TransportError: Error, Equatable, Sendable {
    /// The address is not valid; the text says why.
    case badURL(String)
    /// The value of this field cannot be sent on one line. The name is `?` if it is invalid itself.
    case badHeader(name: String)
    /// No address was found for the host.
    case couldNotResolve(host: String)
    /// The host has an address that requests must not go to, such as a private one.
    case forbidden(host: String)
    /// No server accepts connections at this host and port.
    case couldNotConnect(host: String, port: Int)
    /// The response was not complete in time.
    case timedOut(milliseconds: Int)
    /// The server's identity could not be verified, or both sides share no encryption method.
    case tlsFailed(String)
    /// The response is larger than the request allows.
    case tooLarge(bytesMax: Int)
    /// The request was sent, but it is unknown whether it was processed.
    case unanswered(String)
    /// The caller cancelled the request.
    case cancelled
    /// The request was no longer wanted when its turn came.
    case unwanted
    /// Any other error, in libcurl's words or ours.
    case failed(String)

    /// The error in a sentence for people.
    public var message: String {
        switch self {
        case .badURL(let words): "The address is not valid: \(words)."
        case .badHeader(let name): "The header field \(name) contains forbidden characters."
        case .couldNotResolve(let host): "The host \(host) was not found."
        case .forbidden(let host):
            "The host \(host) has a private or reserved address."
        case .couldNotConnect(let host, let port):
            "Cannot connect to \(host), port \(port)."
        case .timedOut(let milliseconds):
            "No complete response arrived within \(milliseconds) ms."
        case .tlsFailed(let words): "Cannot make a secure connection: \(words)."
        case .tooLarge(let bytesMax): "The response is larger than \(bytesMax) bytes."
        case .unanswered(let words): "The request was sent, but no response arrived: \(words)."
        case .cancelled: "The request was cancelled."
        case .unwanted: "The request was no longer wanted."
        case .failed(let words): "The request failed: \(words)."
        }
    }
}
