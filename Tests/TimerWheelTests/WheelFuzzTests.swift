import TimerWheel
import Testing

@testable import letsmeet_bench

/// Millions of random operations, on the wheel that ships and on a sorted array, compared after
/// each: add, cancel, move, advance, jump, stale handles, deadlines past, near, far and beyond.
///
/// Some 600,000 a second on each core in a debug build, and 9 million with
/// `letsmeet-bench wheel-fuzz`, which runs the same and for as long as one likes.
@Suite struct WheelFuzzTests {
    @Test(arguments: 1...4)
    func `A million operations do what they do to a sorted array`(stream: UInt64) {
        run(seeds: stream * 1_000, operationCount: 1_000_000)
    }

    @Test func `Seeds that nobody has seen before find nothing either`() {
        run(seeds: .random(in: 0...UInt64(UInt32.max)), operationCount: 500_000)
    }

    /// A string of bytes that ends anywhere is a run too.
    @Test(arguments: [0, 1, 2, 7, 50, 1_000])
    func `Any string of bytes drives a run`(count: Int) {
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
