import TimerWheel
import Testing

@testable import letsmeet_bench

/// Millions of random operations on the released wheel and on a sorted array, compared after each
/// operation: add, cancel, move, advance, jump, stale handles, and deadlines that are past, near,
/// far and beyond the limit.
///
/// About 600,000 operations a second on each core in a debug build, and 9 million with
/// `letsmeet-bench wheel-fuzz`, which runs the same test for any length of time.
@Suite struct WheelFuzzTests {
    @Test(arguments: 1...4)
    func `A million operations give the same results as on a sorted array`(stream: UInt64) {
        run(seeds: stream * 1_000, operationCount: 1_000_000)
    }

    @Test func `A random seed gives the same results as a sorted array`() {
        run(seeds: .random(in: 0...UInt64(UInt32.max)), operationCount: 500_000)
    }

    /// A byte string of any length is a valid run.
    @Test(arguments: [0, 1, 2, 7, 50, 1_000])
    func `Any byte string is a valid run`(count: Int) {
        for seed in 0..<20 as Range<UInt64> {
            var fuzz = WheelFuzz(FuzzBytes(count: count, seed: seed))
            fuzz.run()
            #expect(fuzz.fault == nil)
        }
    }

    private func run(seeds first: UInt64, operationCount: Int) {
        print("wheel fuzz: seeds from \(first)")
        var count = 0
        var seed = first
        while count < operationCount {
            var fuzz = WheelFuzz(FuzzBytes(count: WheelFuzzCommand.bytesPerRun, seed: seed))
            fuzz.run()
            if let fault = fuzz.fault {
                Issue.record("seed \(seed): \(fault)")
                return
            }
            count += fuzz.operationCount
            seed &+= 1
        }
    }
}
