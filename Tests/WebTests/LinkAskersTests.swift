import Logging
import TestKit
import Testing
import Timekeeping

@testable import Web

/// Requests for links that guests have lost.
@Suite(.timeLimit(.minutes(5))) struct LinkAskersTests {
    /// The requests that are admitted, in order. An address that begins with "known" is known, and
    /// the first one that begins with "last" ends it.
    private func admitted(
        _ now: Moment, _ ask: (LinkAskers) -> Void
    ) async -> [String] {
        let (answers, answered) = AsyncStream.makeStream(of: String.self)
        let askers = LinkAskers(logger: Logger(label: "test"), clock: { now }) {
            address, isAdmitted in
            if address.hasPrefix("known"), isAdmitted() { answered.yield(address) }
            if address.hasPrefix("last") { answered.finish() }
        }
        ask(askers)
        askers.ask("last@example.org", at: now)
        let running = Task { await askers.run() }
        defer { running.cancel() }
        var all: [String] = []
        for await answer in answers { all.append(answer) }
        return all
    }

    @Test func `A known address gets its links whatever other addresses are asked for`()
        async throws
    {
        let now = try ManualClock("2026-12-01T12:00:00Z").now
        let admitted = await admitted(now) { askers in
            for number in 0..<1000 {
                askers.ask("nobody\(number)@example.org", at: now)
                askers.ask("known\(number % 200)@example.org", at: now)
            }
        }
        // Each of the 200 was asked for five times.
        #expect(admitted.count == 600 && Set(admitted).count == 200)
    }

    @Test func `All spellings of a known address have three requests in an hour together`()
        async throws
    {
        let now = try ManualClock("2026-12-01T12:00:00Z").now
        let spellings = ["known@example.org", "known@EXAMPLE.org", "known@exampLe.org"]
        let admitted = await admitted(now) { askers in
            for number in 0..<9 { askers.ask(spellings[number % 3], at: now) }
        }
        #expect(admitted == spellings)
    }
}
