import Foundation
import Interchange
import Testing

struct CardBuilderTests {
    private func read(_ bytes: [UInt8]) throws -> ContactCard {
        try #require(VCardReader.read(bytes).cards.first)
    }

    @Test(
        arguments: [
            (["FN:Ann", "N:Lee;Bo"], "Ann"),
            (["FN: ", "N:Lee;Ann;Q.;Dr.;Jr."], "Dr. Ann Q. Lee Jr."),
            (["N:;;;;", "NICKNAME:Annie"], "Annie"), (["ORG:Acme;Sales"], "Acme"),
            (["ORG:;Sales"], "Sales"), (["EMAIL:ann@x.org", "TEL:1"], "ann@x.org"),
            (["TEL:+1 2"], "+1 2"), (["N:Müller"], "Müller"),
        ] as [([String], String)])
    func `A missing name is derived from other properties`(lines: [String], name: String) throws {
        let whole = ["BEGIN:VCARD"] + lines + ["END:VCARD"]
        #expect(try read(Array(whole.joined(separator: "\r\n").utf8)).formattedName == name)
    }

    @Test func `Names are trimmed and free of control characters`() throws {
        let card = try read(
            file(
                "BEGIN:VCARD", "FN: A\u{0}n\\nn\u{7F}\t\u{85}x ",
                "N: Lee ; Ann ;Philip,Paul;;Jr.\\, M.D.",
                "NOTE: one\u{1}\\n  two \\n\\n", "END:VCARD"))
        #expect(card.formattedName == "An n x")
        #expect([card.family, card.given, card.additional] == ["Lee", "Ann", "Philip Paul"])
        #expect(card.suffix == "Jr., M.D.")
        #expect(card.note == "one\n  two")
    }

    @Test(
        arguments: [
            ("EMAIL:foo", "\"foo\" is not a valid mail address"),
            ("EMAIL:a b@x.org", "\"a b@x.org\" is not a valid mail address"),
            (
                "EMAIL:a@x.org\\nBcc: b@x.org",
                "\"a@x.org Bcc: b@x.org\" is not a valid mail address"
            ),
            ("EMAIL:a\u{0}@x.org", "\"a@x.org\" is not a valid mail address"),
        ])
    func `An invalid mail address is reported with its line`(line: String, reason: String) {
        let reading = VCardReader.read(card("TEL:1", line))
        #expect(reading.cards.map(\.emails) == [[]])
        #expect(reading.skipped == [SkippedPart(line: 5, words: RemarkText(reason))])
    }

    @Test(
        arguments: [
            ("Li <li@x.org>", ["li@x.org"]), ("\"Li\\, Wei\" <li@x.org>", ["li@x.org"]),
            ("<li@x.org>", ["li@x.org"]), ("a@x.org, b@x.org", ["a@x.org", "b@x.org"]),
            ("a@x.org\\,b@x.org", ["a@x.org", "b@x.org"]), ("a@x.org;", ["a@x.org"]),
            ("Li <a@x.org>; Bo <b@x.org>", ["a@x.org", "b@x.org"]),
            ("a@x.org A@X.org", ["a@x.org"]),
        ] as [(String, [String])])
    func `Names are removed from mail addresses, and several are taken apart`(
        value: String, addresses: [String]
    ) {
        let reading = VCardReader.read(card("EMAIL;TYPE=work,pref:\(value)"))
        #expect(reading.cards.map { $0.emails.map(\.address) } == [addresses])
        let emails = reading.cards.flatMap(\.emails)
        #expect(emails.allSatisfy { $0.type == "work" })
        #expect(emails.map(\.preferred) == addresses.indices.map { $0 == 0 })
        #expect(reading.skipped == [])
    }

    @Test func `Of several mail addresses, an invalid one is reported`() {
        let reading = VCardReader.read(card("EMAIL:Li <li>, Bo <b@x.org>"))
        #expect(reading.cards.map { $0.emails.map(\.address) } == [["b@x.org"]])
        #expect(reading.skipped.map(\.reason) == ["\"li\" is not a valid mail address"])
    }

    @Test func `Mail addresses are unique, and at most one is preferred`() throws {
        let card = try read(
            card(
                "EMAIL;PREF=50:c@x.org", "EMAIL;TYPE=home;PREF=2:mailto:Ann%2B1@x.org?subject=hi",
                "EMAIL;TYPE=work,pref:b@x.org", "EMAIL;PREF=1:d@x.org", "EMAIL;TYPE=work:C@x.org",
                "EMAIL:", version: "4.0"))
        #expect(card.emails.map(\.address) == ["c@x.org", "Ann+1@x.org", "b@x.org", "d@x.org"])
        #expect(card.emails.map(\.type) == ["work", "home", "work", nil])
        #expect(card.emails.map(\.preferred) == [false, false, true, false])
    }

    @Test(
        arguments: [
            ("TEL;HOME;CELL:+1", "home cell", "+1"), ("TEL;TYPE=VOICE:1", nil, "1"),
            (
                "TEL;TYPE=\"voice,home\";VALUE=uri:tel:+1-555;ext=12;phone-context=x", "home",
                "+1-555 ext. 12"
            ),
            ("TEL;TYPE=WORK,MSG,FAX:1", "work fax", "1"), ("tel;type=x-odd:1", "x-odd", "1"),
            ("TEL;TYPE=:TEL:7", nil, "7"),
        ] as [(String, String?, String)])
    func `Phone types without meaning are dropped`(
        line: String, type: String?, number: String
    ) throws {
        let phones = try read(card(line, version: "4.0")).phones
        #expect(phones.map(\.type) == [type])
        #expect(phones.map(\.number) == [number])
    }

    @Test(
        arguments: [
            ("_$!<Other>!$_", "other"), ("_$!<HomePage>!$_", "homepage"),
            ("Boat, red", "Boat, red"),
        ])
    func `A label applies to the property in its group`(label: String, type: String) throws {
        let escaped = label.replacing(",", with: "\\,")
        let card = try read(
            card("item1.X-ABLabel:\(escaped)", "Item1.EMAIL;TYPE=home:a@x.org", "item2.X-ODD:1"))
        #expect(card.emails.map(\.type) == [type])
        #expect(card.extra == ["item2.X-ODD:1"])
    }

    @Test func `Address parts are split before their escapes are resolved`() throws {
        let card = try read(
            card(
                "ADR;HOME;DOM:PO\\;1;Apt\\, 2;1 Main St\\nRear,Left;Town;;;", "ADR:;;;;;;",
                "ADR;WORK:;;x",
                "LABEL;HOME:One\\nTwo", "LABEL;TYPE=boat:Three", version: "2.1"))
        #expect(card.addresses.count == 3)
        #expect(card.addresses[0].poBox == "PO;1")
        #expect(card.addresses[0].extended == "Apt, 2")
        #expect(card.addresses[0].street == "1 Main St\nRear, Left")
        #expect(card.addresses.map(\.label) == ["One\nTwo", nil, "Three"])
        #expect(card.addresses.map(\.type) == ["home", "work", "boat"])
    }

    @Test func `The first of several alternatives is used, and the others are kept`() throws {
        let card = try read(
            card(
                "FN;ALTID=1;LANGUAGE=ja:アン", "TITLE;ALTID=2:Boss", "TITLE;ALTID=2:Chef",
                "ORG:Acme", "ORG:Other;Unit", "UID:1", "UID:2", "BDAY;VALUE=text:circa 1800",
                "BDAY:19900412", "BDAY:19900413", version: "4.0"))
        #expect(card.formattedName == "Ann")
        #expect(card.title == "Boss")
        #expect(card.uid == "1")
        #expect(card.birthday == "1990-04-12")
        #expect(
            card.extra == [
                "FN;ALTID=1;LANGUAGE=ja:アン", "TITLE;ALTID=2:Chef", "ORG:Other;Unit", "UID:2",
                "BDAY;VALUE=text:circa 1800", "BDAY:19900413",
            ])
    }

    @Test(
        arguments: [
            ("BDAY:--0412", "--04-12"), ("BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-12", "--04-12"),
            ("BDAY;X-APPLE-OMIT-YEAR=2000:2000-04-12", "--04-12"),
            ("bday;value=date:1990-04-12", "1990-04-12"),
            ("BDAY:1990-04-12T00:00:00Z", "1990-04-12"), ("BDAY:", nil),
        ] as [(String, String?)])
    func `Birthdays are converted to one form`(line: String, birthday: String?) throws {
        #expect(try read(card(line)).birthday == birthday)
    }

    @Test(
        arguments: [
            ["ANNIVERSARY:20100412"], ["X-ANNIVERSARY:2010-04-12"],
            ["item1.X-ABDATE:2010-04-12", "item1.X-ABLabel:_$!<Anniversary>!$_"],
        ])
    func `Anniversaries are recognized under all their names`(lines: [String]) throws {
        let whole = ["BEGIN:VCARD", "FN:Ann"] + lines + ["END:VCARD"]
        let card = try read(Array(whole.joined(separator: "\r\n").utf8))
        #expect(card.anniversary == "2010-04-12")
        #expect(card.extra == [])
    }

    @Test func `Another labelled date is kept with its label`() throws {
        let lines = ["item1.X-ABDATE:2010-04-12", "item1.X-ABLabel:First met"]
        let card = try read(card(lines[0], lines[1]))
        #expect(card.anniversary == nil)
        #expect(card.extra == lines)
    }

    @Test func `A line in an unknown encoding is skipped`() {
        let reading = VCardReader.read(
            card("NOTE;CHARSET=X-RUNES;ENCODING=QUOTED-PRINTABLE:=83A", version: "2.1"))
        #expect(reading.cards.map(\.note) == [""])
        let reason = "the text cannot be read in its encoding \"X-RUNES\""
        #expect(reading.skipped == [SkippedPart(line: 4, words: RemarkText(reason))])
    }

    @Test func `A name in Base64 is decoded`() throws {
        let name = Data("Müller;Käthe".utf8).base64EncodedString()
        let card = try read(card("N;ENCODING=BASE64;CHARSET=UTF-8:\(name)", version: "2.1"))
        #expect(card.family == "Müller" && card.given == "Käthe")
    }

    @Test(arguments: [("X-RUNES", "=83A"), ("UTF-8", "=83A"), ("SHIFT_JIS", "=83")])
    func `A card is refused if its name cannot be read in its encoding`(
        charset: String, name: String
    ) {
        let lines = [
            "BEGIN:VCARD", "VERSION:2.1",
            "N;CHARSET=\(charset);ENCODING=QUOTED-PRINTABLE:\(name);;;",
            "TEL:1", "END:VCARD",
        ]
        let reading = VCardReader.read(Array(lines.joined(separator: "\r\n").utf8))
        #expect(reading.cards == [])
        let reason = "the text cannot be read in its encoding \"\(charset)\""
        #expect(reading.skipped == [SkippedPart(line: 1, words: RemarkText(reason))])
    }

    @Test(
        arguments: [
            ("Windows-1251", [0xC8, 0xE2, 0xE0, 0xED], "Иван"),
            ("koi8-r", [0xE9, 0xD7, 0xC1, 0xCE], "Иван"),
            ("ISO-8859-2", [0xA3, 0x75, 0x6B, 0xE6], "Łukć"),
            ("ISO-8859-15", [0xBC, 0xA4], "Œ€"),
            ("ISO-8859-5", [0xB8, 0xD2, 0xD0, 0xDD], "Иван"),
            ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
            ("GB2312", [0xC1, 0xAA, 0xCD, 0xA8], "联通"),
            ("Big5", [0xA4, 0xA4, 0xA4, 0xE5], "中文"),
            ("EUC-KR", [0xC7, 0xD1, 0xB1, 0xDB], "한글"),
            ("ISO-2022-JP", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42], "日本"),
            ("UTF-16BE", [0x65, 0xE5, 0x67, 0x2C], "日本"),
        ] as [(String, [UInt8], String)])
    func `A name is read in the encoding that its line states`(
        charset: String, octets: [UInt8], name: String
    ) {
        let quoted = octets.map { "=" + String(UInt($0) | 0x100, radix: 16).dropFirst() }.joined()
        let head = ";CHARSET=\(charset);ENCODING=QUOTED-PRINTABLE:"
        let lines = ["BEGIN:VCARD", "VERSION:2.1", "FN\(head)\(quoted)", "END:VCARD"]
        let reading = VCardReader.read(Array(lines.joined(separator: "\r\n").utf8))
        #expect(reading.cards.map(\.formattedName) == [name])
        #expect(reading.skipped == [])
    }

    @Test(arguments: [
        ("ISO-8859-1", "=C3=BC", "ü", 1), ("windows-1252", "=C3=BC=E2=82=AC", "ü€", 1),
        ("ISO-8859-2", "=C5=82", "ł", 1), ("windows-1251", "=D0=98", "И", 1),
        ("ISO-8859-1", "=FC", "ü", 0), ("ISO-8859-1", "=C3=BC=FC", "Ã¼ü", 0),
        ("UTF-8", "=C3=BC", "ü", 0), ("GB2312", "=C1=AA", "联", 0),
    ])
    func `UTF-8 under the name of an encoding with one byte for each letter is read, with a remark`(
        charset: String, name: String, read: String, remarks: Int
    ) {
        let head = ";CHARSET=\(charset);ENCODING=QUOTED-PRINTABLE:"
        let lines = ["BEGIN:VCARD", "VERSION:2.1", "FN\(head)\(name)", "END:VCARD"]
        let reading = VCardReader.read(Array(lines.joined(separator: "\r\n").utf8))
        #expect(reading.cards.map(\.formattedName) == [read])
        #expect(reading.warnings.count == remarks)
    }

    @Test(
        arguments: ["", " ", "\u{FEFF}", "\t"])
    func `Cards without a line end between them stay apart`(between: String) {
        func card(_ name: String) -> String {
            "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:\(name)\r\nEMAIL:\(name)@example.org\r\nEND:VCARD"
        }
        let file = ["anna", "ben", "cleo"].map(card).joined(separator: between)
        let reading = VCardReader.read(Array(file.utf8))
        #expect(reading.cards.map(\.formattedName) == ["anna", "ben", "cleo"])
        #expect(
            reading.cards.map { $0.emails.map(\.address) }
                == [["anna@example.org"], ["ben@example.org"], ["cleo@example.org"]])
        #expect(reading.cards.map(\.line) == [1, 5, 9])
        #expect(reading.skipped == [])
    }

    @Test(arguments: [";", ",", " --", "\u{FEFF}"])
    func `Punctuation after the end of a card does not keep it open`(rest: String) {
        let file =
            "BEGIN:VCARD\r\nFN:Anna\r\nEND:VCARD\(rest)\r\nBEGIN:VCARD\r\nFN:Ben\r\nEND:VCARD"
        let reading = VCardReader.read(Array(file.utf8))
        #expect(reading.cards.map(\.formattedName) == ["Anna", "Ben"])
    }

    @Test func `An invalid date is reported and kept as an extra line`() {
        let reading = VCardReader.read(card("BDAY:1990-02-30"))
        #expect(
            reading.warnings == [
                ReadingWarning(line: 4, words: "\"1990-02-30\" is not a valid date")
            ])
        #expect(reading.cards.map(\.birthday) == [nil])
        #expect(reading.cards.map(\.extra) == [["BDAY:1990-02-30"]])
    }

    @Test(
        arguments: [
            ("1990-04-12T25:00", "1990-04-12", "time, so only its date is used"),
            ("19900412T236100Z", "1990-04-12", "time, so only its date is used"),
            ("9999-02-29", "--02-29", "year, so only its day and month are used"),
            ("00000412", "--04-12", "year, so only its day and month are used"),
        ], ["BDAY", "ANNIVERSARY"])
    func `An impossible hour or year is reported, and the rest of the date is used`(
        _ value: (String, String, String), _ name: String
    ) throws {
        let (text, date, fault) = value
        let reading = VCardReader.read(card("\(name):\(text)"))
        let read = try #require(reading.cards.first)
        #expect((name == "BDAY" ? read.birthday : read.anniversary) == date)
        #expect(read.extra == [])
        let message = "\"\(text)\" has an impossible \(fault)"
        #expect(reading.warnings == [ReadingWarning(line: 4, words: RemarkText(message))])
        for version in [VCardWriter.Version.v3, .v4] {
            let written = VCardReader.read(
                Array(VCardWriter.write([read], version: version).utf8))
            #expect(written.warnings == [])
            #expect(written.cards.map(\.birthday) == [read.birthday])
            #expect(written.cards.map(\.anniversary) == [read.anniversary])
        }
    }

    @Test(arguments: ["BDAY:0000-00-00", "ANNIVERSARY:00000000"])
    func `A date of zeros is no date`(line: String) {
        let reading = VCardReader.read(card(line))
        #expect(reading.cards.map(\.birthday) == [nil])
        #expect(reading.cards.map(\.extra) == [[]])
        #expect(reading.warnings == [])
    }

    @Test func `Lists contain each entry once`() throws {
        let card = try read(
            card(
                "NICKNAME:A,B\\,C, ,A", "NICKNAME:D", "CATEGORIES:x,y", "CATEGORIES:y,z", "URL:u",
                "URL:u"))
        #expect(card.nicknames == ["A", "B,C", "D"])
        #expect(card.categories == ["x", "y", "z"])
        #expect(card.urls == ["u"])
    }

    @Test func `The members of a group are read, and those of a person are kept as text`() throws {
        let group = try read(
            card(
                "KIND:GROUP", "MEMBER:URN:UUID:A-1", "MEMBER:a-1:ABPerson", "MEMBER:mailto:a@x.org",
                "MEMBER:a@X.org", "MEMBER:", version: "4.0"))
        #expect(group.groupMembers == ["urn:uuid:A-1", "mailto:a@x.org"])
        let person = try read(card("KIND:individual", "MEMBER:x", version: "4.0"))
        #expect(person.groupMembers == nil)
        #expect(person.extra == ["KIND:individual", "MEMBER:x"])
    }

    @Test(
        arguments: [
            (["urn:uuid:1"], "urn:uuid:1"), (["mailto:a@x.org", "tel:+1"], "a@x.org, tel:+1"),
            (["1", "2", "3"], "1, 2, 3"), (["1", "2", "3", "4"], "1, 2, 3 and 1 more"),
        ] as [([String], String)])
    func `Up to three members of a group are named`(members: [String], names: String) {
        #expect(ContactCard.names(ofMembers: members) == names)
    }

    @Test func `Several notes are joined`() throws {
        #expect(try read(card("NOTE:one", "NOTE:", "NOTE:two")).note == "one\ntwo")
    }
}
