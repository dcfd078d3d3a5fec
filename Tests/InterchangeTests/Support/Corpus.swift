import Foundation

/// Contact files of other programs, which may lie beside the checkout.
enum Corpus {
    static let folder: URL = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/corpus/vcf")

    /// True if the files are there. Without them, the tests that need them are skipped.
    static let isThere = FileManager.default.fileExists(atPath: folder.path)

    static func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".vcf") }.sorted()
    }
}
