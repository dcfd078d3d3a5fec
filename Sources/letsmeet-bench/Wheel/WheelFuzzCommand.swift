import ArgumentParser
import Foundation
import Planning
import Programs

struct WheelFuzzCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wheel-fuzz",
        abstract: "Compare the timer wheel with a sorted array, by random operations.",
        discussion: """
            A string of bytes drives each run, either generated from consecutive seeds or read \
            from your own file, such as those that fuzzers make. At the first difference, the \
            program exits with status 1.

            EXAMPLE: letsmeet-bench wheel-fuzz --seconds 60 --seed 7
            """)

    static let bytesPerRun = 400_000

    @Option(help: "The processor time to spend, in seconds.") var seconds = 10
    @Option(help: "The seed of the first run; by default a random one.")
    var seed: UInt64?
    @Option(help: ArgumentHelp("Use only the bytes of this file.", valueName: "file"))
    var input: String?

    func run() throws {
        if let input {
            let data = try Data(contentsOf: URL(filePath: input))
            let count = try Self.run(FuzzBytes(Array(data)), name: input)
            LetsmeetBench.say("\(count) operations, no difference", to: .answers)
        } else {
            try runFromSeeds(first: seed ?? .random(in: 0...UInt64(UInt32.max)))
        }
    }

    private func runFromSeeds(first: UInt64) throws {
        LetsmeetBench.say("wheel-fuzz: seeds from \(first)", to: .answers)
        let start = Meter.processNanoseconds
        var spent: UInt64 = 0
        var count = 0
        var seed = first
        repeat {
            count += try Self.run(
                FuzzBytes(count: Self.bytesPerRun, seed: seed), name: "seed \(seed)")
            seed &+= 1
            spent = Meter.processNanoseconds - start
        } while spent < UInt64(max(0, seconds)) * 1_000_000_000
        let rate = Int(Double(count) / (Double(spent) / 1e9))
        LetsmeetBench.say(
            "\(count) operations, \(rate) a second, no difference", to: .answers)
    }

    /// Returns the number of operations.
    private static func run(_ bytes: FuzzBytes, name: String) throws -> Int {
        var fuzz = WheelFuzz(bytes)
        fuzz.run()
        guard let fault = fuzz.fault else { return fuzz.operationCount }
        throw Refusal(.refused, code: "wrong_result", "\(name): \(fault).")
    }
}
