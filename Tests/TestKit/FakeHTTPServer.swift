import Foundation
import Glibc

/// A small real HTTP/1.1 server on a free port of 127.0.0.1, which answers what a closure says.
///
/// ```swift
/// let server = try FakeHTTPServer { _ in .json("{}") }
/// defer { server.stop() }
/// // … ask server.url …
/// server.requests.count == 1
/// ```
public final class FakeHTTPServer: Sendable {
    /// Decides what is answered; called on a thread of the connection.
    public typealias Handler = @Sendable (FakeRequest) -> FakeAnswer

    /// The port that it listens on.
    public let port: Int
    private let listener: Int32
    private let log = FakeServerLog<FakeRequest>()

    /// Starts to listen.
    public init(_ handler: @escaping Handler) throws {
        (listener, port) = try FakeSocket.listener()
        let log = log
        log.serve(listener) { FakeConnection(socket: $0, log: log, handler: handler).serve() }
    }

    deinit { stop() }

    /// Where it is: `http://127.0.0.1:40123`.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The requests so far, in the order in which they were complete.
    public var requests: [FakeRequest] { log.records }

    /// How many connections were made so far.
    public var connectionsCount: Int { log.connectionsCount }

    /// Stops listening and drops all connections. May be called more than once.
    public func stop() {
        guard log.stop() else { return }
        // Ends the accept that waits; the thread that waits there closes it.
        shutdown(listener, Int32(SHUT_RDWR))
    }
}
