import Foundation
import TestKit
import Testing

@testable import Places

/// Files that are far larger than any file of places, and files that change while they are read.
@Suite struct LargePlaceFileTests {
    private static let place = #"{"fsq_place_id":"a1","name":"One"}"#

    @Test(arguments: [
        ("", "\n\(place)\n"), ("[", ",\(place)]"), ("[\"", "\",\(place)]"),
        ("\u{1E}", "\u{1E}\(place)"),
    ])
    func `A record that is far too long is skipped`(
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
            #expect(!file.isEmpty)
        }
    }

    @Test(arguments: [("", "\n", ""), ("[", ",", "]"), ("\u{1E}", "\u{1E}", "")])
    func `A file that becomes shorter while it is read is read as far as it goes`(
        head: String, separator: String, tail: String
    ) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/places.json"
            let places = (0..<200_000).map { #"{"fsq_place_id":"a\#($0)","name":"One"}"# }
            try Data((head + places.joined(separator: separator) + tail).utf8)
                .write(to: URL(filePath: path))
            var items = try #require(PlaceFile(path: path)).makeIterator()
            #expect(items.next() != nil)
            #expect(truncate(path, 1000) == 0)
            var last: PlaceFileItem?
            var count = 1
            while let item = items.next() { (last, count) = (item, count + 1) }
            #expect(count < places.count)
            let reason = if case .bad(_, let reason)? = last { reason } else { "" }
            #expect(reason == "The file became shorter while it was read; its rest is missing.")
        }
    }

    @Test func `Lines of any length are found in a sorted file`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/lines.tsv"
            let keys = (1000..<1400).map(String.init)
            let lines = keys.enumerated().map { place, key in
                key + "\t" + String(repeating: "x", count: place % 7 == 0 ? place * 100 : place % 5)
            }
            try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: path))
            let file = try SortedLines(path: path)
            var all: [String] = []
            file.scan { line in
                all.append(line.bytes.text)
                return true
            }
            #expect(all == lines)
            for (place, key) in keys.enumerated() {
                var found: [String] = []
                file.scan(from: { $0[0].number < Int(key) ?? 0 }) { line in
                    found.append(line.bytes.text)
                    return found.count < 2
                }
                #expect(found == Array(lines[place...].prefix(2)))
            }
            #expect(truncate(path, 10) == 0)
            file.scan { _ in true }
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
