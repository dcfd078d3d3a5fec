import Foundation
import TestKit

/// The parts of JSON answers that tests check.
extension Program.Outcome {
    private var error: [String: Any] { json["error"] as? [String: Any] ?? [:] }

    /// The code of a refusal; `nil` if there is none.
    var code: String? { error["code"] as? String }

    /// The message of a refusal.
    var message: String { error["message"] as? String ?? "" }

    /// The labels, or else the names, of the candidates of a refusal.
    var candidates: [String] {
        (error["candidates"] as? [[String: Any]] ?? []).compactMap {
            $0["label"] as? String ?? $0["name"] as? String
        }
    }

    /// The places of a search.
    var results: [[String: Any]] { json["results"] as? [[String: Any]] ?? [] }

    /// The names of the places of a search.
    var names: [String] { results.compactMap { $0["name"] as? String } }

    var warnings: [String] { json["warnings"] as? [String] ?? [] }

    var attribution: String { json["attribution"] as? String ?? "" }

    /// The place in the answer of `place show`, `place save` and `place add`, or that of a meeting.
    var place: [String: Any] {
        let meeting = json["meeting"] as? [String: Any]
        return (meeting ?? json)["place"] as? [String: Any] ?? [:]
    }
}

extension Program {
    /// Runs the program with the words of a line as arguments and `--json`.
    func ask(_ line: String, _ more: String...) async throws -> Outcome {
        try await run(line.split(separator: " ").map(String.init) + more + ["--json"])
    }
}

/// Runs a test on a fresh home whose searches go to a fake Foursquare.
func withFoursquare(
    _ answers: [FakeFoursquareAnswer], settings: [String: String] = [:],
    _ body: (_ letsmeet: Program, _ fake: FakeFoursquare) async throws -> Void
) async throws {
    let fake = try FakeFoursquare(answers)
    defer { fake.stop() }
    let known = ["LETSMEET_FOURSQUARE_URL": fake.url, "FOURSQUARE_SERVICE_KEY": FakeFoursquare.key]
    try await withFolderOnDisk { folder in
        let letsmeet = Program(
            "letsmeet", home: folder + "/home", settings: known.merging(settings) { $1 })
        try await body(letsmeet, fake)
    }
}

/// The bytes compressed by `gzip`.
func gzipped(_ bytes: [UInt8]) async throws -> [UInt8] {
    try await withFolderOnDisk { folder in
        let file = URL(filePath: folder + "/body")
        try Data(bytes).write(to: file)
        let gzip = Launch("/usr/bin/gzip", ["--best", file.path(percentEncoded: false)])
        _ = try await gzip.runToEnd()
        return [UInt8](try Data(contentsOf: file.appendingPathExtension("gz")))
    }
}
