import Foundation
import TestKit
import Timekeeping

/// A reproducible random number generator: the same seed gives the same numbers (SplitMix64).
struct SeededChance: RandomNumberGenerator {
    private var state: UInt64

    /// Prints the seed, so that a failure can be reproduced.
    init(seed: UInt64, for test: String = #function) {
        print("Seed of \(test): \(seed)")
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// The answers of independent programs, if they exist beside the checkout.
enum Truth {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/truth").standardizedFileURL

    static var isThere: Bool {
        FileManager.default.fileExists(atPath: folder.path + "/cron_open.jsonl")
            && SystemZones.areInstalled
    }

    static func lines<Line: Decodable>(_ name: String, as: Line.Type) throws -> [Line] {
        try String(contentsOf: folder.appending(path: name + ".jsonl"), encoding: .utf8)
            .split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }
}

func wall(_ text: String) throws -> WallTime {
    try WallTime.parse(text)
}

func moment(_ text: String) throws -> Moment {
    try Moment.parse(text)
}

/// The error message of a refusal; nil if there is no error.
func refusal(_ body: () throws -> some Any) -> String? {
    do {
        _ = try body()
        return nil
    } catch {
        return "\(error)"
    }
}

/// Runs `body` with a temporary folder, which is removed afterwards.
func withTemporaryFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "timekeeping-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
}
