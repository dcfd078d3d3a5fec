import Foundation
import Logging
import TestKit
import Testing
import Timekeeping

@testable import Daemon

@Suite struct ServiceManagerTests {
    @Test func `The service manager that started the daemon is notified`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/notify"
            let socket = Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
            defer { close(socket) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let bound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
            }
            #expect(bound == 0)
            let manager = try #require(
                ServiceManager(
                    environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "20000000"], process: 7))
            #expect(manager.watchdog == .seconds(20))
            manager.tell("READY=1")
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = recv(socket, &bytes, bytes.count, CInt(MSG_DONTWAIT))
            #expect(count == 7)
            #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) == "READY=1")
        }
    }

    @Test func `Without a service manager nothing is sent, and a foreign watchdog is ignored`() {
        #expect(ServiceManager(environment: [:], process: 7) == nil)
        #expect(ServiceManager(environment: ["NOTIFY_SOCKET": "no path"], process: 7) == nil)
        let other = [
            "NOTIFY_SOCKET": "@abstract", "WATCHDOG_USEC": "1000000", "WATCHDOG_PID": "8",
        ]
        #expect(ServiceManager(environment: other, process: 7)?.watchdog == nil)
        // If nobody listens, nothing happens.
        ServiceManager(environment: other, process: 7)?.tell("READY=1")
    }

    @Test func `Lines for the journal carry a priority and no time`() throws {
        let clock = try ManualClock("2026-12-01T12:00:00Z")
        func line(_ form: LineLogHandler.Form, _ level: Logger.Level) -> String {
            let lines = Lines()
            var logger = Logger(label: "test") { _ in
                LineLogHandler(clock: clock, form: form) { lines.add($0) }
            }
            logger.logLevel = .debug
            logger.log(level: level, "hello")
            return lines.text
        }
        #expect(line(.journal, .warning) == "<4>level=warning msg=hello\n")
        #expect(line(.journal, .debug) == "<7>level=debug msg=hello\n")
        #expect(line(.lines, .info).hasPrefix("time=2026-12-01T12:00:00.000Z level=info"))
    }

    @Test func `The journal is recognised by its file`() {
        var facts = stat()
        #expect(fstat(2, &facts) == 0)
        #expect(Journal.reads(2, named: "\(facts.st_dev):\(facts.st_ino)"))
        #expect(!Journal.reads(2, named: "1:1"))
        #expect(!Journal.reads(2, named: nil))
    }
}
