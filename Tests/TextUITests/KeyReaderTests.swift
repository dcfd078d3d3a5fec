import TestKit
import Testing

@testable import TextUI

struct KeyReaderTests {
    private static func keys(_ pieces: [[UInt8]]) -> [Key] {
        var reader = KeyReader()
        return joined(pieces.flatMap { reader.read($0) })
    }

    /// The keys with adjacent texts joined, because the cuts between them are arbitrary.
    private static func joined(_ keys: [Key]) -> [Key] {
        keys.reduce(into: []) { all, key in
            if case .text(let new) = key, case .text(let old) = all.last {
                all[all.count - 1] = .text(old + new)
            } else {
                all.append(key)
            }
        }
    }

    static let cases: [(String, [Key])] = [
        ("abc\r", [.text("abc"), .enter]), ("a\nb", [.text("a"), .enter, .text("b")]),
        ("åö漢🙂\t", [.text("åö漢🙂"), .tab]), ("\u{7F}\u{08}", [.backspace, .backspace]),
        ("\u{01}\u{05}\u{0B}\u{15}\u{17}", [.home, .end, .killToEnd, .killToStart, .killWord]),
        ("\u{03}\u{04}", [.interrupt, .endOfInput]),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
        ("\u{1B}OA\u{1B}OH\u{1B}OF", [.up, .home, .end]),
        (
            "\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~",
            [.home, .end, .home, .end, .home, .end]
        ),
        ("\u{1B}[3~x", [.delete, .text("x")]), ("\u{1B}[Z", [.up]),
        ("\u{1B}[1;5C\u{1B}[1;3D\u{1B}b\u{1B}f", [.wordRight, .wordLeft, .wordLeft, .wordRight]),
        ("\u{1B}\u{7F}", [.killWord]), ("a\0b\u{1A}c", [.text("abc")]),
        ("\u{1B}[99;99;99u\u{1B}[?1;2c", []), ("\u{1B}x", []), ("\u{1B}\u{1B}[A", [.escape, .up]),
        ("\u{1B}[1\u{03}", [.interrupt]),
        ("\u{1B}[" + String(repeating: "1;", count: 999) + "A", [.up]),
        ("\u{1B}[200~one\ntwo\u{1B}[201~!", [.paste("one\ntwo"), .text("!")]),
        ("\u{1B}[200~\u{1B}[20\u{1B}[201~", [.paste("\u{1B}[20")]),
        ("\u{1B}[200~\u{1B}\u{1B}[201~", [.paste("\u{1B}")]),
        ("\u{1B}[200~a\u{03}b", [.interrupt, .text("b")]),
    ]

    @Test(arguments: cases)
    func `Bytes become the same keys wherever they are cut`(bytes: String, expected: [Key]) {
        let bytes = Array(bytes.utf8)
        #expect(Self.keys([bytes]) == expected)
        #expect(Self.keys(bytes.map { [$0] }) == expected)
        for cut in bytes.indices {
            let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
            #expect(Self.keys(pieces) == expected, "cut at \(cut)")
        }
    }

    @Test(arguments: [
        ([0xFF], "\u{FFFD}"), ([0xC3, 0x28], "\u{FFFD}("), ([0x80, 0x61], "\u{FFFD}a"),
        ([0xF0, 0x9F, 0x61], "\u{FFFD}a"), ([0xC0, 0x80], "\u{FFFD}\u{FFFD}"),
        ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ])
    func `Invalid UTF-8 is replaced`(bytes: [UInt8], expected: String) {
        #expect(Self.keys([bytes + [0x0D]]) == [.text(expected), .enter])
        #expect(Self.keys((bytes + [0x0D]).map { [$0] }) == [.text(expected), .enter])
    }

    @Test func `An escape byte without following bytes is the Escape key`() {
        var reader = KeyReader()
        #expect(reader.read([0x1B]) == [])
        #expect(reader.isAmidEscape)
        #expect(reader.settle() == [.escape])
        #expect(reader.read(Array("a".utf8)) == [.text("a")])
        #expect(reader.settle() == [])
    }

    @Test func `Only the beginning of a very long paste is kept`() {
        let text = String(repeating: "x", count: 1_000_000)
        let keys = Self.keys([Array("\u{1B}[200~\(text)\u{1B}[201~\r".utf8)])
        #expect(keys == [.paste(String(text.prefix(KeyReader.pasteBytesMax))), .enter])
    }

    @Test func `Random bytes never stop the reader, and no text contains control characters`() {
        let seed: UInt64 = 7
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        var reader = KeyReader()
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            var line = LineEditor()
            for key in reader.read(bytes) { line.take(key) }
            let controls = line.text.unicodeScalars.filter {
                $0.properties.generalCategory == .control
            }
            #expect(controls.isEmpty)
        }
        _ = reader.read([0x03, 0x0D])
        #expect(reader.read(Array("ok\r".utf8)) == [.text("ok"), .enter])
    }
}
