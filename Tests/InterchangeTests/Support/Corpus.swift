import Foundation

/// The contact files of other programs that lie beside the checkout, where there are any.
enum Corpus {
    static let folder: URL = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/corpus/vcf")

    /// Whether the files are there; the tests over them say that they are skipped where not.
    static let isThere = FileManager.default.fileExists(atPath: folder.path)

    static func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".vcf") }.sorted()
    }
}
