import Foundation
import Glibc
import Synchronization

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
    private let log: FakeServerLog

    /// Starts to listen.
    public init(_ handler: @escaping Handler) throws {
        (listener, port) = try FakeSocket.listener()
        log = FakeServerLog()
        let listener = listener
        let log = log
        Thread.detachNewThread { FakeHTTPServer.accept(on: listener, log, handler) }
    }

    deinit { stop() }

    /// Where it is: `http://127.0.0.1:40123`.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The requests so far, in the order in which they were complete.
    public var requests: [FakeRequest] { log.requests }

    /// How many connections were made so far.
    public var connectionsCount: Int { log.connectionsCount }

    /// Stops listening and drops all connections. May be called more than once.
    public func stop() {
        guard log.stop() else { return }
        // Ends the accept that waits; the thread that waits there closes it.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private static func accept(
        on listener: Int32, _ log: FakeServerLog, _ handler: @escaping Handler
    ) {
        defer { close(listener) }
        while true {
            let socket = Glibc.accept(listener, nil, nil)
            guard socket >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                return
            }
            guard log.open(socket) else {
                // The listener is left to the shutdown that follows: closed here, its number could
                // mean another file by then.
                close(socket)
                continue
            }
            Thread.detachNewThread {
                FakeConnection(socket: socket, log: log, handler: handler).serve()
                log.close(socket)
            }
        }
    }
}

/// What a server saw, and its open connections.
final class FakeServerLog: Sendable {
    private struct State {
        var requests: [FakeRequest] = []
        var sockets: Set<Int32> = []
        var connectionsCount = 0
        var isStopped = false
    }

    private let state = Mutex(State())

    var requests: [FakeRequest] { state.withLock { $0.requests } }

    var connectionsCount: Int { state.withLock { $0.connectionsCount } }

    func add(_ request: FakeRequest) {
        state.withLock { $0.requests.append(request) }
    }

    /// Whether the connection may be served: not once the server is stopped.
    func open(_ socket: Int32) -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            state.sockets.insert(socket)
            state.connectionsCount += 1
            return true
        }
    }

    func close(_ socket: Int32) {
        state.withLock { state in
            state.sockets.remove(socket)
            Glibc.close(socket)
        }
    }

    /// Drops all connections; false when that was done before.
    func stop() -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            state.isStopped = true
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
            return true
        }
    }
}
