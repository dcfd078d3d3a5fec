import Foundation

/// The phases of the ledger's benchmark in order, each timed as a whole.
struct LedgerRun {
    let count: Int
    let guestCount: Int
    let clientCount: Int
    /// Where the home is copied to before anything fires.
    let copy: String?

    /// - Throws: ``BenchFault`` when the ledger has done something wrong.
    func report() async throws -> BenchReport {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "letsmeet-bench-\(UUID().uuidString)").path(percentEncoded: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bench = try await LedgerBench(home: folder, guestCount: guestCount)
        let scheduled = try await timed {
            try await bench.schedule(meetingCount: meetingCount, clientCount: clientCount)
        }
        if let copy { try await bench.copy(to: copy) }
        let bytes = try bench.databaseBytes
        var tally = 0
        let fired = try await timed { tally = try await bench.fire() }
        let folded = try await timed { try await bench.fold() }
        try await bench.check(accepted: tally, expected: deliveryCount)
        let phases = [("schedule", scheduled), ("fire", fired), ("fold", folded)]
        return BenchReport(
            name: "ledger", n: deliveryCount,
            options: ["guests": "\(guestCount)", "clients": "\(clientCount)"],
            phases: phases.map {
                BenchReport.Phase($0, nanoseconds: $1, operationCount: deliveryCount)
            },
            bytesPerItem: (Double(bytes) / Double(deliveryCount)).rounded(toPlaces: 1),
            checks: .init(fired: tally, ordered: true))
    }

    private var meetingCount: Int { (count + guestCount - 1) / guestCount }

    private var deliveryCount: Int { meetingCount * guestCount }

    private func timed(_ phase: () async throws -> Void) async throws -> UInt64 {
        let start = Meter.wallNanoseconds
        try await phase()
        return Meter.wallNanoseconds - start
    }
}
