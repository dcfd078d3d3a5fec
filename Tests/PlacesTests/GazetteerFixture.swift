import Foundation
import Places

/// The bundled data, located relative to this source file.
enum ShippedData {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/Places/Data").path

    static func gazetteer() throws -> Gazetteer {
        try Gazetteer(directory: folder + "/gazetteer")
    }

    /// The lines of a file of the gazetteer, each split at its tabs.
    static func rows(of name: String) throws -> [[Substring]] {
        let text = try String(contentsOfFile: folder + "/gazetteer/" + name, encoding: .utf8)
        return text.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
    }
}
