import Foundation
import Glibc
import Synchronization

/// The records and the open connections of a fake server.
final class FakeServerLog<Record: Sendable>: Sendable {
    private struct State {
        var records: [Record] = []
        var sockets: Set<Int32> = []
        var connectionsCount = 0
        var isStopped = false
    }

    private let state = Mutex(State())

    var records: [Record] { state.withLock { $0.records } }

    var connectionsCount: Int { state.withLock { $0.connectionsCount } }

    func add(_ record: Record) {
        state.withLock { $0.records.append(record) }
    }

    /// Accepts connections until the listener is shut down. Each runs on its own thread.
    func serve(_ listener: Int32, each body: @escaping @Sendable (_ socket: Int32) -> Void) {
        Thread.detachNewThread { [self] in
            accept(on: listener, body)
            close(listener)
        }
    }

    private func accept(on listener: Int32, _ body: @escaping @Sendable (Int32) -> Void) {
        while true {
            let socket = Glibc.accept(listener, nil, nil)
            guard socket >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                return
            }
            guard open(socket) else {
                // The shutdown that follows closes the listener. If it were closed here, its number
                // could mean another file by then.
                Glibc.close(socket)
                continue
            }
            Thread.detachNewThread { [self] in
                body(socket)
                forget(socket)
            }
        }
    }

    /// Registers a connection. False if the server is stopped.
    private func open(_ socket: Int32) -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            state.sockets.insert(socket)
            state.connectionsCount += 1
            return true
        }
    }

    private func forget(_ socket: Int32) {
        state.withLock { state in
            state.sockets.remove(socket)
            Glibc.close(socket)
        }
    }

    /// Closes all connections. False if that was done before.
    func stop() -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            state.isStopped = true
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
            return true
        }
    }
}
