import Ledger
import Sinks

/// The phases of the ledger benchmark in order, each timed as a whole.
struct LedgerRun {
    let count: Int
    let guestCount: Int
    let hasReminders: Bool
    let clientCount: Int
    /// The folder to which the home is copied before firing.
    let copy: String?

    /// - Throws: ``BenchFault`` if the ledger made a mistake.
    func report() async throws -> BenchReport {
        let folder = BenchHome.folder()
        defer { BenchHome.remove(folder) }
        let bench = try await BenchHome(
            in: folder, guestCount: guestCount, hasReminders: hasReminders,
            settings: ["LETSMEET_SINKS": "stdout"]
        ) { _ in AcceptingSink() }
        let meetingCount = (count - 1) / bench.deliveriesEachMeeting + 1
        let planned = meetingCount * bench.deliveriesEachMeeting
        let invited = meetingCount * guestCount
        let scheduled = try await ResourceUse.timing {
            try await bench.schedule(meetingCount: meetingCount, clientCount: clientCount)
        }
        if let copy { try await bench.copy(to: copy) }
        let bytes = try bench.databaseBytes
        var tally = 0
        let fired = try await ResourceUse.timing { tally = try await bench.fire() }
        let folded = try await ResourceUse.timing { try await bench.fold() }
        try await bench.check(accepted: tally, expected: invited)
        return BenchReport(
            name: "ledger", n: planned,
            options: [
                "guests": "\(guestCount)", "clients": "\(clientCount)",
                "meetings": "\(meetingCount)",
            ],
            phases: [
                phase("schedule", scheduled, planned), phase("fire", fired, invited),
                phase("fold", folded, invited),
            ],
            bytesPerItem: (Double(bytes) / Double(planned)).rounded(toPlaces: 1),
            checks: .init(fired: tally, ordered: true))
    }

    private func phase(_ name: String, _ spent: ResourceUse, _ count: Int) -> BenchReport.Phase {
        BenchReport.Phase(name, spent, operationCount: count)
    }
}

/// A sink that accepts at once.
private struct AcceptingSink: Sink {
    let name = "stdout"
    let schedule = RetrySchedule.stdout
    let policy = AmbiguityPolicy.resend

    func deliver(_ outgoing: OutgoingMessage) async -> AttemptReport { AttemptReport(.accepted) }
}
