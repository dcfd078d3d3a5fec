import Foundation
import Glibc
import Logging
import NIOCore
import ServiceLifecycle
import Settings
import TestKit
import Testing

@testable import Web

@Suite(.timeLimit(.minutes(5))) struct SocketTests {
    /// Serves on a socket while the body runs, then shuts down gracefully.
    private static func serving(
        on path: String, _ body: @Sendable () async throws -> Void
    ) async throws {
        let (addresses, address) = AsyncStream.makeStream(of: ListenAddress.self)
        let server = PageServer(
            on: .socket(path: path), routes: RunningServer.routes, clock: MachineClock(),
            logger: .silent
        ) { if let found = $0 { address.yield(found) } }
        let group = ServiceGroup(services: [server], logger: .silent)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await found in addresses {
                #expect(found == .socket(path: path))
                try await body()
                break
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private static func mode(_ path: String) -> mode_t? {
        var facts = stat()
        return lstat(path, &facts) == 0 ? facts.st_mode : nil
    }

    private static func hello(_ path: String) async throws -> String {
        try await RawConnection(path: path).ask("GET /hello HTTP/1.0\r\n\r\n")
    }

    @Test func `A socket allows its group and is removed with its server`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/page.sock"
            try await Self.serving(on: path) {
                let answer = try await Self.hello(path)
                #expect(answer.hasSuffix("Hello\n"))
                #expect(Self.mode(path) == S_IFSOCK | 0o660)
            }
            #expect(Self.mode(path) == nil)
        }
    }

    @Test func `The socket of a killed server is replaced`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/page.sock"
            let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            try SocketAddress(unixDomainSocketPath: path).withSockAddr { address, length in
                #expect(bind(left, address, socklen_t(length)) == 0)
            }
            close(left)
            try #require(Self.mode(path) != nil)
            try await Self.serving(on: path) {
                let answer = try await Self.hello(path)
                #expect(answer.hasSuffix("Hello\n"))
            }
        }
    }

    @Test func `A socket in use is kept, and a server removes only its own file`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/page.sock"
            try await Self.serving(on: path) {
                let error = #expect(throws: IOError.self) { try SocketFile.makeRoom(at: path) }
                #expect(error?.errnoCode == EADDRINUSE)
                let answer = try await Self.hello(path)
                #expect(answer.hasSuffix("Hello\n"))
                unlink(path)
                #expect(FileManager.default.createFile(atPath: path, contents: Data("x".utf8)))
            }
            #expect(Self.mode(path) == S_IFREG | 0o600 || Self.mode(path) == S_IFREG | 0o644)
            let error = #expect(throws: IOError.self) { try SocketFile.makeRoom(at: path) }
            #expect(error?.errnoCode == EEXIST)
            try FileManager.default.removeItem(atPath: path)
            try SocketFile.makeRoom(at: path)
        }
    }

    @Test(arguments: [
        ("/none/page.sock", "its folder does not exist."),
        ("/file", "there is a file that is not a socket."),
        ("/file/page.sock", "its folder does not exist."),
    ])
    func `The log says why a socket cannot be created`(place: String, words: String) async throws {
        try await withTemporaryFolder { folder in
            #expect(FileManager.default.createFile(atPath: folder + "/file", contents: nil))
            let clock = try ManualClock("2026-12-01T12:00:00Z")
            let kept = LogMemory.Lines()
            let server = PageServer(
                on: .socket(path: folder + place), routes: [], clock: clock,
                logger: Logger(label: "test") { _ in LogMemory(kept: kept) })
            let task = Task { try await server.run() }
            await clock.untilSomebodySleeps()
            task.cancel()
            try await task.value
            let line = kept.all.first ?? ""
            #expect(line.contains("its pages on unix:\(folder)\(place): \(words)"), "\(line)")
        }
    }
}
