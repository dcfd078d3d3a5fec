import Interchange
import TestKit
import Testing

struct VCardFuzzTests {
    private static let seeds: [[UInt8]] = [
        card(
            "N:Lee;Ann;;;", "item1.EMAIL;TYPE=work,pref:ann@x.org", "item1.X-ABLabel:_$!<Other>!$_",
            "ADR;TYPE=home;LABEL=\"a^nb\":;;1 Main\\, St;Town;;;", "BDAY:--0412", " folded",
            "PHOTO;ENCODING=b:AAAA", " BBBB"),
        card(
            "NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:gr=C3=BC=C3=9Fe=", "=0D=0Aend",
            "TEL;HOME;CELL:1", "PHOTO;BASE64:", "  AAAA", "", "AGENT:", "BEGIN:VCARD", "FN:Agent",
            "END:VCARD", "LABEL;HOME:x", version: "2.1"),
        card(
            "KIND:group", "MEMBER:urn:uuid:1", "MEMBER:mailto:a@x.org", "TZ:Europe/Paris",
            "ANNIVERSARY:20100412", "X-ODD;A=\"b,c\":d", version: "4.0"),
    ]

    private static let pieces: [[UInt8]] = [
        [0x0D, 0x0A], [0x0A], [0x0D], [0x20], Array(":".utf8), Array(";".utf8), Array("=".utf8),
        Array("\"".utf8), Array("\\".utf8), Array("^".utf8), [0], [0x80], [0xC3],
        [0xEF, 0xBB, 0xBF],
        [0xFF, 0xFE], Array("BEGIN:VCARD\r\n".utf8), Array("END:VCARD\r\n".utf8),
        Array("AGENT:\r\n".utf8),
        Array(";ENCODING=QUOTED-PRINTABLE".utf8), Array(";BASE64".utf8),
        Array("VERSION:2.1\r\n".utf8),
        Array("X-ABLabel:".utf8), Array("PREF=99999999999999999999".utf8), Array("item1.".utf8),
    ]

    private func mutated(_ bytes: [UInt8], using random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...20, using: &random))
            switch Int.random(in: 0...4, using: &random) {
            case 0 where place < bytes.count:
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
            case 3: bytes.removeLast(min(bytes.count, Int.random(in: 0...30, using: &random)))
            default:
                let piece = Self.pieces.randomElement(using: &random) ?? []
                bytes.insert(contentsOf: piece, at: place)
            }
        }
        return bytes
    }

    @Test(arguments: [11, 12, 13, 14] as [UInt64])
    func `Random damage does not stop the reader, and its result can be written`(seed: UInt64) {
        print("vCard fuzz, seed \(seed)")
        var random = SeededRandom(seed: seed)
        for round in 0..<1500 {
            let source = Self.seeds[round % Self.seeds.count] + Self.seeds[(round + 1) % 3]
            let bytes = mutated(source, using: &random)
            let first = VCardReader.read(bytes)
            check(first, lineCount: bytes.count + 1)
            for version in [VCardWriter.Version.v3, .v4] {
                let second = VCardReader.read(
                    Array(VCardWriter.write(first.cards, version: version).utf8))
                #expect(second.cards.count == first.cards.count)
                for (before, after) in zip(first.cards, second.cards) {
                    // The two versions write pictures differently.
                    var expected = before
                    expected.extra = after.extra
                    #expect(differences(after, expected) == [], "seed \(seed), round \(round)")
                    #expect(after.extra.count == before.extra.count, "seed \(seed), round \(round)")
                }
            }
        }
    }

    private func check(_ reading: CardReading, lineCount: Int) {
        for card in reading.cards {
            #expect(!card.formattedName.isEmpty)
            #expect(card.emails.filter(\.preferred).count <= 1)
            #expect(card.phones.filter(\.preferred).count <= 1)
            #expect((1...lineCount).contains(card.line))
            let texts = [card.formattedName, card.given, card.family, card.title] + card.nicknames
            for text in texts + card.extra + card.emails.map(\.address) {
                #expect(!text.utf8.contains { $0 < 0x20 || $0 == 0x7F })
            }
        }
        let lines = reading.skipped.map(\.line)
        #expect(lines == lines.sorted())
        #expect(lines.allSatisfy { (1...lineCount).contains($0) })
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            ("\"", ""), (";", "FN"), ("=", "N;QUOTED-PRINTABLE:"), (" \n", "FN"), ("\r", "FN:"),
            ("AGENT:\nBEGIN:VCARD\n", ""), ("A;B=\"", ""), ("URL:u\n", ""), ("NICKNAME:a\n", ""),
            ("ADR;HOME:;;x\nLABEL;HOME:y\n", ""), ("EMAIL:a@b\nEMAIL:x\n", ""),
            ("AA\n", "P;BASE64:\n"),
            ("=\n", "P;QUOTED-PRINTABLE:\n"), ("NOTE:x\n", ""), ("\\", "NOTE:"),
            (",", "CATEGORIES:"),
            ("i.X-ABLabel:x\n", ""), ("BEGIN:VCARD\nFN:a\n", ""), ("\u{FEFF}", ""), (",x", "A;B="),
        ])
    func `Reading time is proportional to the number of bytes`(piece: String, head: String) {
        let body = String(repeating: piece, count: 400_000 / piece.utf8.count)
        let reading = VCardReader.read(Array("BEGIN:VCARD\nFN:A\n\(head)\(body)\nEND:VCARD\n".utf8))
        #expect(reading.cards.count + reading.skipped.count >= 1)
    }
}
