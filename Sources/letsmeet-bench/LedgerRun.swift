import Foundation

/// The phases of the ledger's benchmark in order, each timed as a whole.
struct LedgerRun {
    let count: Int
    let guestCount: Int
    let hasReminders: Bool
    let clientCount: Int
    /// Where the home is copied to before anything fires.
    let copy: String?

    private struct Spent {
        let wall: UInt64
        let processor: UInt64
    }

    /// - Throws: ``BenchFault`` when the ledger has done something wrong.
    func report() async throws -> BenchReport {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "letsmeet-bench-\(UUID().uuidString)").path(percentEncoded: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bench = try await LedgerBench(
            home: folder, guestCount: guestCount, hasReminders: hasReminders)
        let meetingCount = (count - 1) / bench.deliveriesEachMeeting + 1
        let planned = meetingCount * bench.deliveriesEachMeeting
        let invited = meetingCount * guestCount
        let scheduled = try await timed {
            try await bench.schedule(meetingCount: meetingCount, clientCount: clientCount)
        }
        if let copy { try await bench.copy(to: copy) }
        let bytes = try bench.databaseBytes
        var tally = 0
        let fired = try await timed { tally = try await bench.fire() }
        let folded = try await timed { try await bench.fold() }
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

    private func phase(_ name: String, _ spent: Spent, _ count: Int) -> BenchReport.Phase {
        BenchReport.Phase(
            name, nanoseconds: spent.wall, processorNanoseconds: spent.processor,
            operationCount: count)
    }

    private func timed(_ phase: () async throws -> Void) async throws -> Spent {
        let start = Spent(wall: Meter.wallNanoseconds, processor: Meter.processNanoseconds)
        try await phase()
        return Spent(
            wall: Meter.wallNanoseconds - start.wall,
            processor: Meter.processNanoseconds - start.processor)
    }
}
