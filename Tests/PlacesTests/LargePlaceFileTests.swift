import Foundation
import Places
import TestKit
import Testing

/// Files that are far larger than any file of places.
@Suite(.serialized) struct LargePlaceFileTests {
    /// The megabytes of a mapped file that are in memory (proc(5), smaps).
    private static func megabytesInMemory(of path: String) throws -> Int {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps"))
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        let lines = text.split(separator: "\n")
        let head = try #require(lines.firstIndex { $0.hasSuffix(path) })
        let line = try #require(lines[head...].first { $0.hasPrefix("Rss:") })
        let words = line.split(whereSeparator: \.isWhitespace)
        return try #require(Int(words[1])) / 1024
    }

    private static let place = #"{"fsq_place_id":"a1","name":"One"}"#

    @Test(arguments: [
        ("", "\n\(place)\n"), ("[", ",\(place)]"), ("[\"", "\",\(place)]"),
        ("\u{1E}", "\u{1E}\(place)"),
    ])
    func `The memory of a record that is far too long is given back`(
        head: String, tail: String
    ) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/places.json"
            try Data((head + String(repeating: "x", count: 12 << 20) + tail).utf8)
                .write(to: URL(filePath: path))
            let file = try #require(PlaceFile(path: path))
            let items = Array(file)
            #expect(items.first == .bad(line: 1, reason: "It is too long to be a place."))
            let names = items.compactMap { item -> String? in
                if case .place(let found) = item { found.place.name } else { nil }
            }
            #expect(names == ["One"])
            #expect(try Self.megabytesInMemory(of: path) < 9)
            #expect(!file.isEmpty)
        }
    }

    @Test func `After too many records that cannot be read, the rest is left`() {
        let text = String(repeating: "x\n", count: 12) + Self.place
        let items = Array(PlaceFile(Data(text.utf8), badMax: 9))
        #expect(items.count == 10)
        let reason = "More than 9 parts cannot be read; the rest is not read."
        #expect(items.last == .bad(line: 10, reason: reason))
        #expect(Array(PlaceFile(Data(text.utf8), badMax: 12)).count == 13)
    }
}
