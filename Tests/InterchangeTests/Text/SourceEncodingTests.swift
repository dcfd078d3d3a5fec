import Interchange
import Testing

/// Tables and cards in encodings of other scripts, which state none.
struct SourceEncodingTests {
    /// The names and the warnings of a table whose names are octets.
    private func table(_ names: [[UInt8]]) -> (names: [String], remarks: [String]) {
        var bytes = Array("Name;Email\n".utf8)
        for (number, name) in names.enumerated() {
            bytes += name + Array(";x\(number)@x.org\n".utf8)
        }
        let reading = ContactFile.read(bytes, name: "contacts.csv")
        return (
            reading.cards.map(\.formattedName),
            reading.warnings.map(\.message) + reading.skipped.map(\.reason)
        )
    }

    private static let warning = "the text is not UTF-8; it was read in the encoding "

    /// "Иван Иванов" and "Мария Смирнова" in Windows-1251 and KOI8-R.
    @Test(arguments: [
        (
            "Windows-1251",
            [
                [0xC8, 0xE2, 0xE0, 0xED, 0x20, 0xC8, 0xE2, 0xE0, 0xED, 0xEE, 0xE2],
                [
                    0xCC, 0xE0, 0xF0, 0xE8, 0xFF, 0x20, 0xD1, 0xEC, 0xE8, 0xF0, 0xED, 0xEE, 0xE2,
                    0xE0,
                ],
            ] as [[UInt8]]
        ),
        (
            "KOI8",
            [
                [0xE9, 0xD7, 0xC1, 0xCE, 0x20, 0xE9, 0xD7, 0xC1, 0xCE, 0xCF, 0xD7],
                [
                    0xED, 0xC1, 0xD2, 0xC9, 0xD1, 0x20, 0xF3, 0xCD, 0xC9, 0xD2, 0xCE, 0xCF, 0xD7,
                    0xC1,
                ],
            ]
        ),
    ])
    func `Cyrillic letters are read in the encoding in which they are frequent ones`(
        encoding: String, names: [[UInt8]]
    ) {
        let found = table(names)
        #expect(found.names == ["Иван Иванов", "Мария Смирнова"])
        #expect(found.remarks == [Self.warning + encoding])
    }

    @Test func `Greek, Turkish and Hebrew names are read`() {
        let greek: [UInt8] = [
            0xC3, 0xE9, 0xFE, 0xF1, 0xE3, 0xEF, 0xF2, 0x20, 0xD0, 0xE1, 0xF0, 0xE1, 0xE4, 0xFC,
            0xF0, 0xEF, 0xF5, 0xEB, 0xEF, 0xF2,
        ]
        #expect(table([greek]).names == ["Γιώργος Παπαδόπουλος"])
        let turkish: [UInt8] =
            Array("Ay".utf8) + [0xFE] + Array("e Y".utf8) + [0xFD] + Array("lmaz".utf8)
        #expect(table([turkish]).names == ["Ayşe Yılmaz"])
        #expect(table([turkish]).remarks == [Self.warning + "Windows-1254"])
        let hebrew: [[UInt8]] = [
            [0xE3, 0xE5, 0xE3, 0x20, 0xEB, 0xE4, 0xEF], [0xF9, 0xF8, 0xE4, 0x20, 0xEC, 0xE5, 0xE9],
            [0xEE, 0xF9, 0xE4, 0x20, 0xEE, 0xE6, 0xF8, 0xE7, 0xE9],
            [0xE9, 0xE5, 0xF1, 0xF3, 0x20, 0xE1, 0xE9, 0xE8, 0xE5, 0xEF],
        ]
        #expect(
            table(hebrew).names == [
                "\u{5D3}\u{5D5}\u{5D3} \u{5DB}\u{5D4}\u{5DF}",
                "\u{5E9}\u{5E8}\u{5D4} \u{5DC}\u{5D5}\u{5D9}",
                "\u{5DE}\u{5E9}\u{5D4} \u{5DE}\u{5D6}\u{5E8}\u{5D7}\u{5D9}",
                "\u{5D9}\u{5D5}\u{5E1}\u{5E3} \u{5D1}\u{5D9}\u{5D8}\u{5D5}\u{5DF}",
            ])
    }

    /// The names of each country in the encoding that its programs used.
    @Test(arguments: [
        (
            "Shift_JIS",
            [
                [0x93, 0x63, 0x92, 0x86, 0x88, 0xEA, 0x98, 0x59],
                [0x97, 0xE9, 0x96, 0xD8, 0x89, 0xD4, 0x8E, 0x71],
            ] as [[UInt8]], ["田中一郎", "鈴木花子"]
        ),
        (
            "EUC-KR",
            [
                [0xB1, 0xE8, 0xC3, 0xB6, 0xBC, 0xF6], [0xC0, 0xCC, 0xBF, 0xB5, 0xC8, 0xF1],
                [0xBC, 0xAD, 0xBF, 0xEF],
            ], ["김철수", "이영희", "서울"]
        ),
        (
            "GB 18030",
            [
                [0xD5, 0xC5, 0xCE, 0xB0], [0xCD, 0xF5, 0xB7, 0xBC], [0xC0, 0xEE, 0xC4, 0xC8],
                [0xB1, 0xB1, 0xBE, 0xA9, 0xB9, 0xAB, 0xCB, 0xBE],
            ], ["张伟", "王芳", "李娜", "北京公司"]
        ),
    ])
    func `Names of East Asia are read`(encoding: String, names: [[UInt8]], expected: [String]) {
        let found = table(names)
        #expect(found.names == expected)
        #expect(found.remarks == [Self.warning + encoding])
    }

    @Test func `A text that is hardly Latin and in no certain encoding is refused`() {
        let found = table([[0xD5, 0xC5, 0xCE, 0xB0]])
        #expect(found.names == [])
        #expect(found.remarks.count == 1)
        #expect(found.remarks.first?.contains("its encoding is not certain") == true)
    }

    @Test func `A card that states no encoding is read in that of the file, or refused`() {
        let name: [UInt8] = [0xC8, 0xE2, 0xE0, 0xED, 0x20, 0xC8, 0xE2, 0xE0, 0xED, 0xEE, 0xE2]
        func read(_ name: [UInt8]) -> CardReading {
            let start = Array("BEGIN:VCARD\nVERSION:3.0\nFN:".utf8)
            return ContactFile.read(
                start + name + Array("\nEMAIL:i@x.org\nEND:VCARD\n".utf8), name: "contacts.vcf")
        }
        #expect(read(name).cards.map(\.formattedName) == ["Иван Иванов"])
        #expect(read(name).warnings.map(\.message) == [Self.warning + "Windows-1251"])
        let unclear = read([0xD5, 0xC5, 0xCE, 0xB0])
        #expect(unclear.cards == [])
        #expect(
            unclear.skipped.map(\.reason)
                == ["the text is not UTF-8, and its encoding is not certain"])
    }
}
