import TestKit
import Testing

@testable import Interchange

struct ContactCSVReaderTests {
    private func read(_ lines: String...) throws -> CardReading {
        try ContactCSVReader.read(Array(lines.map { $0 + "\r\n" }.joined().utf8))
    }

    @Test func `Google's old format is read`() throws {
        let reading = try read(
            "Name,Given Name,Additional Name,Family Name,Yomi Name,Name Prefix,Name Suffix,"
                + "Nickname,Birthday,Notes,Group Membership,E-mail 1 - Type,E-mail 1 - Value,"
                + "E-mail 2 - Type,E-mail 2 - Value,Phone 1 - Type,Phone 1 - Value,"
                + "Address 1 - Type,Address 1 - Formatted,Address 1 - Street,Address 1 - City,"
                + "Address 1 - PO Box,Address 1 - Region,Address 1 - Postal Code,"
                + "Address 1 - Country,Address 1 - Extended Address,Organization 1 - Type,"
                + "Organization 1 - Name,Organization 1 - Title,Organization 1 - Department,"
                + "Website 1 - Type,Website 1 - Value,Event 1 - Type,Event 1 - Value",
            "Dr. Ann Q. Lee Jr.,Ann,Q.,Lee,,Dr.,Jr.,Annie, --04-12,\"one\r\ntwo\","
                + "* myContacts ::: Boat ::: * starred,Home,a@x.org,* Work,b@x.org ::: c@x.org,"
                + "Mobile,+1 2 ::: +3 4,Home,\"1 Main\r\nTown, X\",1 Main,Town,,X,99,US,Apt 2,,"
                + "Acme,Boss,Sales,Blog,https://x.org,Anniversary,2010-12-31")
        let card = try #require(reading.cards.first)
        #expect(reading.skipped == [])
        #expect(reading.warnings == [])
        #expect(card.formattedName == "Dr. Ann Q. Lee Jr.")
        let parts = [card.prefix, card.given, card.additional, card.family, card.suffix]
        #expect(parts == ["Dr.", "Ann", "Q.", "Lee", "Jr."])
        #expect(card.nicknames == ["Annie"])
        #expect(card.birthday == "--04-12")
        #expect(card.anniversary == "2010-12-31")
        #expect(card.note == "one\ntwo")
        #expect(card.categories == ["Boat"])
        #expect(card.emails.map(\.address) == ["a@x.org", "b@x.org", "c@x.org"])
        #expect(card.emails.map(\.type) == ["home", "work", "work"])
        #expect(card.emails.map(\.preferred) == [false, true, false])
        #expect(card.phones.map(\.number) == ["+1 2", "+3 4"])
        #expect(card.phones.map(\.type) == ["cell", "cell"])
        #expect(card.addresses.map(\.street) == ["1 Main"])
        #expect(card.addresses.map(\.extended) == ["Apt 2"])
        #expect(card.addresses.map(\.label) == ["1 Main\nTown, X"])
        #expect(card.addresses.map(\.type) == ["home"])
        #expect([card.organization, card.title] == ["Acme", "Boss"])
        #expect(card.organizationUnits == ["Sales"])
        #expect(card.urls == ["https://x.org"])
        #expect(card.line == 2)
    }

    @Test func `Google's new format is read`() throws {
        let reading = try read(
            "First Name,Middle Name,Last Name,Phonetic First Name,Name Prefix,Name Suffix,"
                + "Nickname,File As,Organization Name,Organization Title,Organization Department,"
                + "Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,"
                + "Phone 1 - Label,Phone 1 - Value,Address 1 - Label,Address 1 - Country",
            "Ann,,Lee,,,,,\"Lee, Ann\",Acme,Boss,,1990-04-12,,https://p,"
                + "* myContacts ::: Boat,* Engine room,a@x.org,Work Fax,+1,Work,FR")
        let card = try #require(reading.cards.first)
        #expect(card.formattedName == "Ann Lee")
        #expect([card.organization, card.title] == ["Acme", "Boss"])
        #expect(card.birthday == "1990-04-12")
        #expect(card.categories == ["Boat"])
        #expect(card.emails == [.init(address: "a@x.org", type: "Engine room", preferred: true)])
        #expect(card.phones == [.init(number: "+1", type: "work fax")])
        #expect(card.addresses.map(\.country) == ["FR"])
        #expect(card.addresses.map(\.type) == ["work"])
    }

    @Test func `An address that is only given as a whole is the street`() throws {
        let reading = try read(
            "First Name,Address 1 - Formatted,Address 1 - Street,Address 1 - City",
            "Ann,\"1 Main\nTown\",,", "Ben,\"1 Main\nTown\",1 Main,Town", "Cleo,,,")
        #expect(
            reading.cards.map { $0.addresses.map(\.street) } == [["1 Main, Town"], ["1 Main"], []])
        #expect(reading.cards.first?.addresses.first?.label == nil)
    }

    @Test func `Outlook's format is read`() throws {
        let reading = try read(
            "\"Title\",\"First Name\",\"Middle Name\",\"Last Name\",\"Suffix\",\"Company\","
                + "\"Department\",\"Job Title\",\"Business Street\",\"Business Street 2\","
                + "\"Business City\",\"Business Country/Region\",\"Home City\","
                + "\"Home Postal Code\","
                + "\"Business Fax\",\"Business Phone\",\"Home Phone\",\"Mobile Phone\","
                + "\"Birthday\",\"Categories\",\"E-mail Address\",\"E-mail Type\","
                + "\"E-mail Display Name\",\"E-mail 2 Address\",\"Notes\",\"Web Page\"",
            "\"Ms.\",\"Ann\",\"Q.\",\"Lee\",\"PhD\",\"Acme\",\"Sales\",\"Boss\","
                + "\"1 Main\",\"Rear\","
                + "\"Town\",\"France\",\"Ville\",\"75000\",\"1\",\"2\",\"3\",\"4\",\"4/13/1990\","
                + "\"Boat;Red Category\",\"a@x.org\",\"SMTP\",\"Ann Lee (a@x.org)\",\"b@x.org\","
                + "\"Hello\",\"https://x.org\"",
            ",,,None,,,,,,,,,,,,,,,0/0/00,,,,,,,")
        let card = try #require(reading.cards.first)
        #expect(card.formattedName == "Ms. Ann Q. Lee PhD")
        #expect([card.prefix, card.title] == ["Ms.", "Boss"])
        #expect(card.addresses.map(\.street) == ["1 Main\nRear", ""])
        #expect(card.addresses.map(\.locality) == ["Town", "Ville"])
        #expect(card.addresses.map(\.type) == ["work", "home"])
        #expect(card.phones.map(\.number) == ["1", "2", "3", "4"])
        #expect(card.phones.map(\.type) == ["work fax", "work", "home", "cell"])
        #expect(card.birthday == "1990-04-13")
        #expect(card.categories == ["Boat", "Red Category"])
        #expect(card.emails.map(\.address) == ["a@x.org", "b@x.org"])
        #expect(card.emails.map(\.type) == [nil, nil])
        #expect(card.note == "Hello")
        #expect(card.urls == ["https://x.org"])
        #expect(reading.cards.map(\.birthday) == ["1990-04-13", nil])
        #expect(reading.warnings == [])
    }

    @Test(
        arguments: [
            "name,email,phone\nAnn,a@x.org,1\n", "PHONE;Name;E-Mail\n1;Ann;a@x.org\n",
            "odd\temail\tname\tphone\n9\ta@x.org\tAnn\t1\n",
            "sep=;\nname;email;phone\nAnn;a@x.org;1\n",
            "\u{FEFF}\"Name\",\"email_address\",\"Phone Number\"\r\"Ann\",\"a@x.org\",\"1\"\r",
        ])
    func `A plain table is read with columns in any order and case`(text: String) throws {
        let reading = try ContactCSVReader.read(Array(text.utf8))
        #expect(reading.cards.map(\.formattedName) == ["Ann"])
        #expect(reading.cards.map { $0.emails.map(\.address) } == [["a@x.org"]])
        #expect(reading.cards.map { $0.phones.map(\.number) } == [["1"]])
    }

    @Test func `Text encodings are detected`() throws {
        let text = "name,title\nJörg,Boss\n"
        let marked = [0xFF, 0xFE] + utf16(text)
        #expect(try ContactCSVReader.read(marked).cards.map(\.formattedName) == ["Jörg"])
        let latin1 = text.unicodeScalars.map { UInt8($0.value) }
        let reading = try ContactCSVReader.read(latin1)
        #expect(reading.cards.map(\.formattedName) == ["Jörg"])
        #expect(reading.cards.map(\.title) == ["Boss"])
        #expect(reading.warnings.map(\.line) == [2])
    }

    @Test func `A row with too few or too many fields is reported, and kept if named`() throws {
        let reading = try read(
            "name,email,tz", "Ann", "Bo,b@x.org,UTC,,", "Cy,c@x.org,UTC,more", ",,UTC", "", ",,")
        #expect(reading.cards.map(\.formattedName) == ["Ann", "Bo", "Cy"])
        #expect(reading.cards.map(\.timeZone) == [nil, "UTC", "UTC"])
        #expect(reading.warnings.map(\.line) == [2, 4])
        let messages = [
            "the row has 1 field, but the header has 3",
            "the row has 4 fields, but the header has 3",
        ]
        #expect(reading.warnings.map(\.message) == messages)
        // Each number of fields is a kind.
        #expect(reading.warnings.map(\.kind) == messages)
        let reason = "the row has no name, no mail address and no phone number"
        #expect(reading.skipped == [SkippedPart(line: 5, words: RemarkText(reason))])
    }

    @Test func `An invalid mail address is reported with its line`() throws {
        let reading = try read("name,email,email 2", "Ann,foo,a@x.org", "Bo,b@x.org,B@X.org")
        #expect(reading.cards.map { $0.emails.map(\.address) } == [["a@x.org"], ["b@x.org"]])
        #expect(
            reading.skipped == [SkippedPart(line: 2, words: "\"foo\" is not a valid mail address")]
        )
    }

    @Test func `An ambiguous birthday is skipped`() throws {
        let reading = try read("name,birthday", "Ann,4/5/1990", "Bo,13.4.1990", "Cy,soon")
        #expect(reading.cards.map(\.birthday) == [nil, "1990-04-13", nil])
        #expect(
            reading.warnings == [
                ReadingWarning(
                    line: 2,
                    words: "\"4/5/1990\" is ambiguous and was skipped; write it as 1990-04-12"),
                ReadingWarning(line: 4, words: "\"soon\" is not a valid date"),
            ])
    }

    @Test func `An unclosed quotation mark affects only its own row`() throws {
        let reading = try read("name,email", "Ann,\"a@x.org", "Bo,b@x.org", "\"Cy,c@x.org")
        #expect(reading.cards.map(\.formattedName) == ["Bo"])
        #expect(reading.skipped.map(\.line) == [2, 4])
        #expect(
            Set(reading.skipped.map(\.reason))
                == ["the row has a quotation mark without a closing one"])
    }

    @Test func `A header that can name nobody is refused with a list of known headers`() throws {
        #expect(throws: ContactCSVError.unknownHeader(line: 2, found: ["foo", "city"])) {
            try ContactCSVReader.read(Array("\nfoo,city\n1,2\n".utf8))
        }
        let error = ContactCSVError.unknownHeader(line: 1, found: ["foo", "bar"])
        #expect(
            error.description
                == "the first line must name the columns, but none of \"foo, bar\" is known. "
                + "Use the headers of Google Contacts or Outlook, such as: "
                + "Name, First Name, Last Name, Given Name, Family Name, Nickname, "
                + "Organization Name, Company, E-mail 1 - Value, E-mail Address, Email, "
                + "Phone 1 - Value, Mobile Phone, Home Phone, Business Phone, Phone")
        #expect(throws: ContactCSVError.empty) { try ContactCSVReader.read([0x0A, 0x20]) }
        let tooLong = ContactLimits.fileBytesMax + 1
        #expect(throws: ContactCSVError.tooLong(bytes: tooLong)) {
            try ContactCSVReader.read(Array(repeating: 0x61, count: tooLong))
        }
    }

    @Test(arguments: [
        "0123456789abcdef0123456789abcdef", "correcthorsebatterystaple", "aGVsbG8=,c2VjcmV0IQ==",
        "smtp://anna:secret@mail.example:587", "user: anna, password: tr0ub4dor1",
        "smtp:\n  password: 'correcthorse\n\n  batterystaple'", "[mail]\npassword = batterystaple",
        "imap_password = correcthorse,batterystaple",
    ])
    func `The text of a file that is no table is not shown, because it may be secret`(
        _ secret: String
    ) {
        let reading = ContactFile.read(Array("\(secret)\n".utf8), name: "letsmeet.key")
        #expect(reading.cards == [])
        let words = reading.skipped.map(\.reason).joined()
        #expect(words.contains("the first line must name the columns. Use the headers"))
        let parts = secret.split { ":, '".contains($0) || $0.isNewline }
        for part in parts where part.count > 8 {
            #expect(!words.contains(part))
        }
    }

    @Test func `Rows beyond the limit are skipped, and this is reported`() throws {
        let rows = String(repeating: "A\n", count: ContactLimits.cardsMax + 2)
        let reading = try ContactCSVReader.read(Array("name\n\(rows)".utf8))
        #expect(reading.cards.count == ContactLimits.cardsMax)
        #expect(reading.skipped.map(\.line) == [ContactLimits.cardsMax + 2])
    }

    @Test func `A table with thousands of columns is read, and their number is named`() throws {
        let commas = String(repeating: ",", count: 5000)
        let reading = try read(
            "name,email\(commas)", "Ann,a@x.org\(commas)", "Bo,b@x.org\(commas)")
        #expect(reading.cards.map(\.formattedName) == ["Ann", "Bo"])
        #expect(reading.cards.map { $0.emails.map(\.address) } == [["a@x.org"], ["b@x.org"]])
        #expect(reading.skipped == [])
        let message = "the file has 5002 columns; only the first 500 are read"
        #expect(reading.warnings == [ReadingWarning(line: 1, words: RemarkText(message))])
    }

    @Test(arguments: [21, 22] as [UInt64])
    func `Random damage does not stop the reader`(seed: UInt64) {
        print("CSV fuzz, seed \(seed)")
        var random = SeededRandom(seed: seed)
        let source = Array(
            "name,email 1 - value,birthday,labels\n\"A\"\"nn\",a@x.org,4/13/1990,* a ::: b\n".utf8)
        let pieces: [UInt8] = [0x22, 0x2C, 0x0A, 0x0D, 0x3B, 0x09, 0, 0xFF, 0x2F, 0x2A, 0x3A, 0x27]
        for _ in 0..<3000 {
            var bytes = source
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = pieces.randomElement(using: &random) ?? 0
            }
            guard let reading = try? ContactCSVReader.read(bytes) else { continue }
            #expect(reading.cards.allSatisfy { !$0.formattedName.isEmpty })
            #expect(reading.cards.allSatisfy { (2...10).contains($0.line) })
        }
    }

    @Test(.timeLimit(.minutes(1))) func `Blanks and rows that look like headers take no long time`()
        throws
    {
        let blanks = "sep= \n" + String(repeating: " ", count: 1_000_000)
        #expect((try? ContactCSVReader.read(Array(blanks.utf8)).cards.isEmpty) ?? true)
        let column = "mail" + String(repeating: " a", count: 90)
        let row = "mail," + Array(repeating: column, count: 10).joined(separator: ",") + ",zzzz\n"
        let rows = "Name,X\n" + String(repeating: row, count: 3000)
        var tries = ContactCSVReader.headerTriesMax
        let reading = try ContactCSVReader.read(Array(rows.utf8), triesLeft: &tries)
        #expect(reading.cards.count > 0)
        // The tries of one row may exceed the limit, and no further row is tried.
        #expect((-40...0).contains(tries))
    }
}
