import Foundation

enum Files {
    /// Writes a file and creates its folders.
    static func write(_ text: String, to path: String) throws {
        let file = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    /// The relative paths of the files below a folder, sorted.
    static func all(in folder: String) -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
        return (paths ?? []).filter { $0.split(separator: "/").last?.contains(".") == true }
            .sorted()
    }
}
