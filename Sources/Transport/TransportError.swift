/// Why an exchange brought no answer. None of its texts holds a header, a query or a body.
public enum TransportError: Error, Equatable, Sendable {
    /// The address cannot be used; the words say what is wrong with it.
    case badURL(String)
    /// The value, or the name itself when that is `?`, cannot stand in one line of a header.
    case badHeader(name: String)
    /// No address is known for the host.
    case couldNotResolve(host: String)
    /// The host stands for an address to which nobody but this machine's owner may send.
    case forbidden(host: String)
    /// Nothing answers at that host and port.
    case couldNotConnect(host: String, port: Int)
    /// The answer was not complete in time.
    case timedOut(milliseconds: Int)
    /// The server's identity could not be proved, or no common encryption was found.
    case tlsFailed(String)
    /// The answer is larger than the request allows.
    case tooLarge(bytesMax: Int)
    /// The request went out, and it is not known what became of it.
    case unanswered(String)
    /// The caller gave up.
    case cancelled
    /// Nobody wanted it any more when its turn came.
    case unwanted
    /// Anything else, in libcurl's words.
    case failed(String)

    /// What went wrong, in a sentence for people.
    public var message: String {
        switch self {
        case .badURL(let words): "The address cannot be used: \(words)."
        case .badHeader(let name): "The header field \(name) cannot be sent in one line."
        case .couldNotResolve(let host): "No address is known for the host \(host)."
        case .forbidden(let host):
            "The host \(host) has an address that is not for everybody."
        case .couldNotConnect(let host, let port):
            "Nothing answers at \(host), port \(port)."
        case .timedOut(let milliseconds):
            "No complete answer came within \(milliseconds) ms."
        case .tlsFailed(let words): "No secure connection could be made: \(words)."
        case .tooLarge(let bytesMax): "The answer is larger than \(bytesMax) bytes."
        case .unanswered(let words): "It was sent, and no answer came: \(words)."
        case .cancelled: "The request was given up."
        case .unwanted: "The request was not wanted any more."
        case .failed(let words): "The exchange broke off: \(words)."
        }
    }
}
