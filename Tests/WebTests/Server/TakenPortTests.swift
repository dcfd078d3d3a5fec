import Logging
import ServiceLifecycle
import Settings
import TestKit
import Testing
import Timekeeping

@testable import Web

@Suite(.timeLimit(.minutes(5))) struct TakenPortTests {
    @Test func `The log says that the machine has no such address`() async throws {
        let clock = try ManualClock("2026-12-01T12:00:00Z")
        let kept = LogMemory.Lines()
        let server = PageServer(
            on: .network(host: "192.0.2.1", port: 0), routes: [], clock: clock,
            logger: Logger(label: "test") { _ in LogMemory(kept: kept) })
        let task = Task { try await server.run() }
        await clock.untilSomebodySleeps()
        task.cancel()
        try await task.value
        #expect(kept.all.count == 1)
        #expect(
            kept.all.first?.contains("this machine has no such address.") == true)
    }

    @Test func `A port in use is retried every minute until it is free`() async throws {
        let clock = try ManualClock("2026-12-01T12:00:00Z")
        let kept = LogMemory.Lines()
        let logger = Logger(label: "test") { _ in LogMemory(kept: kept) }
        let taken = try FakeHTTPServer { _ in .json("{}") }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let server = PageServer(
            on: .network(host: "127.0.0.1", port: taken.port), routes: RunningServer.routes,
            clock: clock, logger: logger
        ) { if let address = $0 { port.yield(address.port ?? 0) } }
        let group = ServiceGroup(services: [server], logger: .silent)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for round in 1...2 {
                let next = clock.now.advanced(bySeconds: PageServer.retrySeconds)
                await clock.untilSomebodySleeps(until: next)
                #expect(kept.all.count == round)
                if round == 2 {
                    taken.stop()
                    // The fake server closes its socket a moment later, in a thread of its own.
                    while !RawConnection.isRefused(port: taken.port) { await Task.yield() }
                }
                clock.set(next)
            }
            for await found in ports {
                #expect(found == taken.port)
                break
            }
            let answer = try await RawConnection(port: taken.port)
                .ask("GET /hello HTTP/1.0\r\n\r\n")
            #expect(answer.hasSuffix("Hello\n"))
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        let first = kept.all.first ?? ""
        #expect(
            first == "error letsmeetd cannot serve its pages on 127.0.0.1:\(taken.port): another "
                + "program listens there. Set listen (LETSMEET_LISTEN) to another address or to "
                + "none, and start letsmeetd again; until then it still sends notifications, and "
                + "tries to listen every minute.")
    }
}
