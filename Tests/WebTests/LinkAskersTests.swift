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
        for number in 0..<45 { askers.ask("nobody\(number)@example.org", at: now) }
        for number in 0..<31 { askers.ask("known\(number)@example.org", at: now) }
        var admitted: [Bool] = []
        for await answer in answers {
            admitted.append(answer)
            guard admitted.count < 31 else { break }
        }
        #expect(admitted == Array(repeating: true, count: 30) + [false])
    }
}
