import Interchange
import Testing

struct VCardReaderTests {
    @Test(arguments: ["\r\n", "\n", "\r", "\r\r\n"])
    func `Every line end is accepted`(lineEnd: String) {
        let lines = ["BEGIN:VCARD", "FN:Ann", "NOTE:one", "  two", "", "TEL:1", "END:VCARD", ""]
        let reading = VCardReader.read(Array(lines.joined(separator: lineEnd).utf8))
        #expect(reading.cards.map(\.formattedName) == ["Ann"])
        #expect(reading.cards.map(\.note) == ["one two"])
        #expect(reading.cards.map { $0.phones.map(\.number) } == [["1"]])
        #expect(reading.skipped == [])
    }

    @Test(arguments: [
        ("VERSION:9", [2]), ("VERSION:3", [2]), ("VERSION:", [2]), ("VERSION:2.1", []),
        ("VERSION: 3.0 ", []), ("VERSION:4.0", []),
    ])
    func `An unknown version is reported, and its card is kept`(line: String, lines: [Int]) {
        let reading = VCardReader.read(Array("BEGIN:VCARD\n\(line)\nFN:Ann\nEND:VCARD\n".utf8))
        #expect(reading.cards.map(\.formattedName) == ["Ann"])
        #expect(reading.warnings.map(\.line) == lines)
    }

    @Test func `Text encodings are detected`() {
        let text = "BEGIN:VCARD\nVERSION:3.0\nFN:Jörg € \u{1F600}\nEND:VCARD\n"
        let littleEndian = utf16(text)
        let bigEndian = utf16(text, isBigEndian: true)
        let encodings: [[UInt8]] = [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8),
            [0xFF, 0xFE] + littleEndian, [0xFE, 0xFF] + bigEndian, littleEndian, bigEndian,
        ]
        for bytes in encodings {
            let reading = VCardReader.read(bytes)
            #expect(reading.cards.map(\.formattedName) == ["Jörg € \u{1F600}"])
            #expect(reading.cards.map(\.line) == [1])
            #expect(reading.warnings == [])
        }
    }

    @Test func `Invalid UTF-8 is read as Windows-1252, and the line is reported`() {
        let bytes =
            Array("BEGIN:VCARD\nFN:J".utf8) + [0xF6] + Array("rg ".utf8) + [0x80]
            + Array("\nNOTE:ä\nEND:VCARD\n".utf8)
        let reading = VCardReader.read(bytes)
        #expect(reading.cards.map(\.formattedName) == ["Jörg €"])
        #expect(reading.cards.map(\.note) == ["ä"])
        #expect(reading.warnings.map(\.line) == [2])
    }

    @Test func `A stated CHARSET is used without a warning`() {
        let bytes =
            Array("BEGIN:VCARD\nVERSION:2.1\nFN;CHARSET=ISO-8859-1:J".utf8) + [0xF6]
            + Array("rg\nNOTE;CHARSET=windows-1252;ENCODING=QUOTED-PRINTABLE:=80\n".utf8)
            + Array("TITLE;CHARSET=UTF-8;QUOTED-PRINTABLE:=C3=B6\nEND:VCARD\n".utf8)
        let reading = VCardReader.read(bytes)
        #expect(reading.cards.map(\.formattedName) == ["Jörg"])
        #expect(reading.cards.map(\.note) == ["€"])
        #expect(reading.cards.map(\.title) == ["ö"])
        #expect(reading.warnings == [])
    }

    @Test func `A BEGIN inside an open card starts a new card, and the open one is reported`() {
        let reading = VCardReader.read(
            file(
                "BEGIN:VCARD", "FN:Good", "END:VCARD", "BEGIN:VCARD", "FN:Damaged", "TEL:1",
                "BEGIN:VCARD", "FN:Good too", "END:VCARD"))
        #expect(reading.cards.map(\.formattedName) == ["Good", "Good too"])
        #expect(reading.cards.map(\.line) == [1, 7])
        let reason = "the card has no END:VCARD before the BEGIN:VCARD in line 7"
        #expect(reading.skipped == [SkippedPart(line: 4, words: RemarkText(reason))])
    }

    @Test func `A card without an END is reported at its BEGIN`() {
        let reading = VCardReader.read(
            file("BEGIN:VCARD", "FN:Good", "END:VCARD", "", "begin:vcard", "FN:Damaged"))
        #expect(reading.cards.map(\.formattedName) == ["Good"])
        #expect(reading.skipped == [SkippedPart(line: 5, words: "the card has no END:VCARD")])
    }

    @Test func `A line that is not a property is skipped without its card`() {
        let reading = VCardReader.read(card("no colon here", "TEL:1", ":nothing", "A B:c"))
        #expect(reading.cards.map { $0.phones.map(\.number) } == [["1"]])
        #expect(reading.skipped.map(\.line) == [4, 6, 7])
        #expect(reading.skipped.first?.reason == "\"no colon here\" is not a property of a card")
    }

    @Test func `Text outside the cards is skipped and reported once`() {
        let reading = VCardReader.read(
            file(
                "From: me", "Subject: cards", "", "BEGIN:VCARD", "FN:Ann", "END:VCARD", "END:VCARD")
        )
        #expect(reading.cards.map(\.line) == [4])
        #expect(reading.warnings.map(\.line) == [1])
        #expect(
            reading.skipped == [SkippedPart(line: 7, words: "END:VCARD without a BEGIN:VCARD")])
    }

    @Test(arguments: [[], Array("hello".utf8), [0], [0xFF, 0xFE], [0x22, 0x00]] as [[UInt8]])
    func `A file without a card is reported`(bytes: [UInt8]) {
        let reading = VCardReader.read(bytes)
        #expect(reading.cards == [])
        #expect(
            reading.skipped == [SkippedPart(line: 1, words: "the file has no BEGIN:VCARD")])
    }

    @Test func `A nested AGENT of 2_1 is kept and does not end its card`() {
        let reading = VCardReader.read(
            file(
                "BEGIN:VCARD", "VERSION:2.1", "FN:Boss", "AGENT:", "BEGIN:VCARD", "VERSION:2.1",
                "FN:Agent, the", "AGENT:", "BEGIN:VCARD", "FN:Third", "END:VCARD", "END:VCARD",
                "TEL:1", "END:VCARD"))
        #expect(reading.cards.map(\.formattedName) == ["Boss"])
        #expect(reading.cards.map { $0.phones.map(\.number) } == [["1"]])
        #expect(
            reading.cards.map(\.extra) == [
                [
                    "AGENT:BEGIN:VCARD\\nVERSION:2.1\\nFN:Agent\\, the\\nAGENT:\\nBEGIN:VCARD\\n"
                        + "FN:Third\\nEND:VCARD\\nEND:VCARD\\n"
                ]
            ])
        #expect(reading.skipped == [])
    }

    @Test func `A nested AGENT without an END damages only its own card`() {
        let reading = VCardReader.read(
            file(
                "BEGIN:VCARD", "FN:Boss", "AGENT:", "BEGIN:VCARD", "FN:Agent", "BEGIN:VCARD",
                "FN:Good", "END:VCARD"))
        #expect(reading.cards.map(\.formattedName) == ["Good"])
        #expect(reading.skipped.map(\.line) == [1])
    }

    @Test func `Other components are not allowed inside a card`() {
        let reading = VCardReader.read(card("BEGIN:VEVENT", "SUMMARY:x", "END:VEVENT"))
        #expect(reading.cards.map(\.extra) == [["SUMMARY:x"]])
        #expect(reading.skipped.map(\.line) == [4, 6])
    }

    @Test func `Of many equal problems, a thousand are listed and all are counted`() {
        let bad = String(repeating: "bad\r\n", count: 3000)
        let reading = VCardReader.read(
            Array("BEGIN:VCARD\r\nFN:Ann\r\n\(bad)END:VCARD\r\nEND:VCARD\r\n".utf8))
        #expect(reading.cards.count == 1)
        #expect(reading.skipped.count == 1001)
        #expect(reading.skipped.total == 3001)
        #expect(reading.skipped.rests.map(\.count) == [2000])
        #expect(reading.skipped.last?.reason == "END:VCARD without a BEGIN:VCARD")
    }

    @Test func `A file over the size limit is not read`() {
        let reading = VCardReader.read(
            Array(repeating: 0x20, count: ContactLimits.fileBytesMax + 1))
        #expect(reading.skipped.map(\.line) == [1])
    }

    @Test func `A line over the size limit is skipped without its card`() {
        let half = String(repeating: "x", count: ContactLimits.lineBytesMax / 2 + 1)
        let reading = VCardReader.read(card("X-LONG:\(half)", " \(half)", "TEL:1"))
        #expect(reading.cards.map { $0.phones.map(\.number) } == [["1"]])
        #expect(reading.cards.map(\.extra) == [[]])
        #expect(reading.skipped.map(\.line) == [4])
    }

    @Test func `Cards beyond the limit are skipped, and this is reported`() {
        let one = "BEGIN:VCARD\nFN:A\nEND:VCARD\n"
        let reading = VCardReader.read(
            Array(String(repeating: one, count: ContactLimits.cardsMax + 2).utf8))
        #expect(reading.cards.count == ContactLimits.cardsMax)
        #expect(reading.skipped.map(\.line) == [3 * ContactLimits.cardsMax + 1])
    }

    @Test func `Lines of a card beyond the limit are skipped, and this is reported`() {
        let lines = String(repeating: "X-A:1\n", count: ContactLimits.propertiesMax + 5)
        let reading = VCardReader.read(Array("BEGIN:VCARD\nFN:A\n\(lines)END:VCARD\n".utf8))
        #expect(reading.cards.map(\.extra.count) == [ContactLimits.propertiesMax - 1])
        #expect(reading.skipped.map(\.line) == [ContactLimits.propertiesMax + 2])
    }

    @Test(
        arguments: [
            ("BEGIN:VCARD\n", ContactLimits.boundaryErrorsMax, "cards that do not begin or end"),
            ("END:VCARD\n", ContactLimits.boundaryErrorsMax, "cards that do not begin or end"),
            (
                "x%\n", ContactLimits.damagedLinesMax,
                "lines that are not properties of a card"
            ),
        ] as [(String, Int, String)])
    func `A file of damaged lines is read up to the limit`(
        _ line: String, _ limit: Int, _ items: String
    ) {
        let text = "BEGIN:VCARD\n" + String(repeating: line, count: limit + 1000)
        let reading = VCardReader.read(Array(text.utf8))
        let reason = "the file has more than \(limit) \(items); the rest is skipped"
        let end = reading.skipped.first { $0.reason == reason }
        #expect(end.map { $0.line <= limit + 4 } == true)
        #expect(reading.skipped.total <= limit + 3)
    }

    @Test(arguments: ["END:VCARD", "BEGIN:VCARD", "END:VCARDBEGIN:VCARD"])
    func `A line of many boundaries does not end the program`(_ boundary: String) {
        let line = "EMAIL:x" + String(repeating: boundary, count: 50_000)
        let text = "BEGIN:VCARD\nVERSION:3.0\nFN:Anna\n\(line)\nEND:VCARD\n"
        let reading = VCardReader.read(Array(text.utf8))
        #expect(reading.cards.count + reading.skipped.count > 0)
    }

    @Test(.timeLimit(.minutes(1))) func `Marks of labels inside each other are read in no time`() {
        let label =
            String(repeating: "_$!<", count: 100_000) + "x"
            + String(repeating: ">!$_", count: 100_000)
        let text =
            "BEGIN:VCARD\nVERSION:3.0\nFN:Anna\nitem1.TEL:1\nitem1.X-ABLABEL:\(label)\n"
            + "END:VCARD\n"
        let cards = VCardReader.read(Array(text.utf8)).cards
        #expect(cards.count == 1)
        // Two pairs of marks are taken off, each with a copy of the label.
        #expect(cards.first?.phones.first?.type?.utf8.count == label.utf8.count - 16)
    }
}
