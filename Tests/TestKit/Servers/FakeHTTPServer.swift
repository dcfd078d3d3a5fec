import Foundation
import Glibc

/// A small real HTTP/1.1 server on a free port of 127.0.0.1, which gets its responses from a
/// closure.
///
/// ```swift
/// let server = try FakeHTTPServer { _ in .json("{}") }
/// defer { server.stop() }
/// // … ask server.url …
/// server.requests.count == 1
/// ```
public final class FakeHTTPServer: Sendable {
    /// Returns the response to a request. It is called on the thread of the connection.
    public typealias Handler = @Sendable (FakeRequest) -> FakeAnswer

    /// The port on which the server listens.
    public let port: Int
    private let listener: Int32
    private let log = FakeServerLog<FakeRequest>()

    /// Starts the server.
    public init(_ handler: @escaping Handler) throws {
        (listener, port) = try FakeSocket.listener()
        let log = log
        log.serve(listener) { FakeConnection(socket: $0, log: log, handler: handler).serve() }
    }

    deinit { stop() }

    /// The address: `http://127.0.0.1:40123`.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The requests so far, in the order in which they were completely received.
    public var requests: [FakeRequest] { log.records }

    /// The number of connections so far.
    public var connectionsCount: Int { log.connectionsCount }

    /// Stops listening and closes all connections. Repeated calls have no effect.
    public func stop() {
        guard log.stop() else { return }
        // This ends the pending accept; the thread that waits there closes the listener.
        shutdown(listener, Int32(SHUT_RDWR))
    }
}
