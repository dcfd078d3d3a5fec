import Foundation
import TestKit
import Testing

/// A year of meetings for each seed: nobody misses a notification, and nobody gets one twice.
@Suite(.timeLimit(.minutes(600))) struct SimulationTests {
    /// The seed in `LETSMEET_SEED`, or `LETSMEET_SEEDS` random ones; by default 1 to 20.
    static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["LETSMEET_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        guard let count = environment["LETSMEET_SEEDS"].flatMap({ Int($0) }) else {
            return Array(1...20)
        }
        return (0..<count).map { _ in UInt64.random(in: 1...UInt64(UInt32.max)) }
    }()

    /// The number of years that are simulated in parallel: one for each processor, because a year
    /// uses one fully.
    static let queues = min(ProcessInfo.processInfo.activeProcessorCount, seeds.count)

    @Test(arguments: 0..<queues)
    func `All promises are kept for a year`(_ queue: Int) async throws {
        for place in stride(from: queue, to: Self.seeds.count, by: Self.queues) {
            let seed = Self.seeds[place]
            do {
                _ = try await Self.year(seed)
            } catch let violation as Violation {
                Issue.record("\(violation)")
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
    }

    @Test func `The same seed produces the same year`() async throws {
        let first = try await Self.year(1)
        #expect(try await Self.year(1) == first)
        #expect(try await Self.year(2) != first)
    }

    /// The digest of a simulated year. It runs on its own thread, so that it never waits for other
    /// tests.
    static func year(_ seed: UInt64) async throws -> UInt64 {
        try await withTemporaryFolder { folder in
            try await withCheckedThrowingContinuation { continuation in
                Thread {
                    continuation.resume(
                        with: Result {
                            let simulation = try Simulation(seed: seed, folder: folder)
                            try simulation.run()
                            return simulation.trace.digest
                        })
                }.start()
            }
        }
    }
}
