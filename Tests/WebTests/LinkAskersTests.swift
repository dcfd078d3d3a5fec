import Logging
import Synchronization
import TestKit
import Testing
import Timekeeping

@testable import Web

/// Requests for links that guests have lost.
@Suite(.timeLimit(.minutes(5))) struct LinkAskersTests {
    @Test func `Requests with unknown addresses do not use up the limit of known ones`()
        async throws
    {
        let now = try ManualClock("2026-12-01T12:00:00Z").now
        let (answers, answered) = AsyncStream.makeStream(of: Bool.self)
        let askers = LinkAskers(logger: Logger(label: "test"), clock: { now }) {
            address, isAdmitted in
            if address.hasPrefix("known") { answered.yield(isAdmitted()) }
        }
        let running = Task { await askers.run() }
        defer { running.cancel() }
        for number in 0..<45 {
            askers.ask("nobody\(number)@example.org", from: "192.0.2.\(number)", at: now)
        }
        for number in 0..<31 {
            askers.ask("known\(number)@example.org", from: "198.51.100.\(number)", at: now)
        }
        var admitted: [Bool] = []
        for await answer in answers {
            admitted.append(answer)
            guard admitted.count < 31 else { break }
        }
        #expect(admitted == Array(repeating: true, count: 30) + [false])
    }

    @Test func `One client cannot fill the queue`() async throws {
        let now = try ManualClock("2026-12-01T12:00:00Z").now
        let (asked, askedFor) = AsyncStream.makeStream(of: String.self)
        let askers = LinkAskers(logger: Logger(label: "test"), clock: { now }) { address, _ in
            askedFor.yield(address)
        }
        for number in 0..<500 {
            askers.ask("nobody\(number)@example.org", from: "192.0.2.1", at: now)
        }
        askers.ask("anna@example.org", from: "198.51.100.1", at: now)
        let running = Task { await askers.run() }
        defer { running.cancel() }
        var count = 0
        for await address in asked {
            if address == "anna@example.org" { break }
            count += 1
        }
        #expect(count == 20)
    }
}
