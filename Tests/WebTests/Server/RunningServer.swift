import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Settings
import Synchronization
import TestKit
import Timekeeping

@testable import Web

/// A server on a free port for the duration of a test.
struct RunningServer: Sendable {
    /// The default routes.
    static let routes = [
        Route(.get, "/hello") { _ in PageAnswer(.ok, "text/plain", "Hello\n") },
        Route(.get, "/broken") { _ in throw CancellationError() },
        Route(.get, "/slow") { _ in
            // Nothing is ever sent: the loop ends when the task is cancelled.
            let (never, end) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            end.finish()
            return PageAnswer(.ok, "text/plain", "late\n")
        },
        // More than the system buffers for a client that does not read.
        Route(.get, "/long") { _ in
            PageAnswer(.ok, "text/plain", String(repeating: "long\n", count: 4_000_000))
        },
    ]

    let port: Int
    let group: ServiceGroup

    func connect() throws -> RawConnection { try RawConnection(port: port) }

    /// Sends bytes over a new connection and returns everything that comes back.
    func ask(_ text: String) async throws -> String { try await connect().ask(text) }

    /// Starts a server, runs a test on it and shuts it down gracefully.
    static func with(
        limits: PageLimits = PageLimits(), host: String = "127.0.0.1", uploads: String? = nil,
        routes: [Route] = routes,
        _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let clock = MachineClock()
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        var server = PageServer(
            on: .network(host: host, port: 0), routes: routes, uploads: uploads, clock: clock,
            logger: .silent
        ) { port.yield($0?.port ?? 0) }
        server.limits = limits
        let group = ServiceGroup(services: [server], logger: .silent)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await port in ports {
                try await body(RunningServer(port: port, group: group))
                break
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}

extension PageAnswer {
    /// The body as text.
    var text: String { String(buffer: body) }
}
