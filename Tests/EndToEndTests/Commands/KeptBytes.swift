import Foundation

/// All files of a home, byte by byte.
struct KeptBytes {
    /// The content of the files by their paths in the folder.
    let files: [String: Data]

    /// Reads every file in a folder and its subfolders, except `-shm` files, in which SQLite stores
    /// no data.
    init(in folder: String) throws {
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder)
        where !path.hasSuffix("-shm") {
            files[path] = FileManager.default.contents(atPath: "\(folder)/\(path)")
        }
        self.files = files
    }

    /// The texts that occur in any file, in upper or lower case, as "file: text".
    func find(_ texts: [String]) -> [String] {
        search(texts.map { ($0, Data($0.lowercased().utf8)) }) { Data($0.map(Self.lowered)) }
    }

    /// The numbers that occur in any file in big-endian or little-endian form, as "file: number".
    func find(_ numbers: [Double]) -> [String] {
        let patterns = numbers.flatMap { number in
            [number.bitPattern.bigEndian, number.bitPattern.littleEndian].map { bits in
                ("\(number)", withUnsafeBytes(of: bits) { Data($0) })
            }
        }
        return search(patterns) { $0 }
    }

    private func search(
        _ patterns: [(name: String, bytes: Data)], in prepare: (Data) -> Data
    ) -> [String] {
        files.flatMap { path, data in
            let bytes = prepare(data)
            return patterns.filter { bytes.range(of: $0.bytes) != nil }
                .map { "\(path): \($0.name)" }
        }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
