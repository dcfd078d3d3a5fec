import Interchange
import Testing

struct ContactCSVWriterTests {
    @Test func `A table is written exactly as expected`() {
        var ann = ContactCard(formattedName: "Ann \"A\" Lee")
        ann.given = "Ann"
        ann.family = "Lee"
        ann.nicknames = ["A", "B"]
        ann.birthday = "--04-12"
        ann.note = "one\ntwo"
        ann.categories = ["boat", "x"]
        ann.emails = [.init(address: "a@x.org", type: "home", preferred: true)]
        ann.phones = [.init(number: "+1 (2) 3", type: "fax work")]
        ann.anniversary = "2010-12-31"
        let bo = ContactCard(formattedName: "=1+1")
        var group = ContactCard(formattedName: "Group")
        group.groupMembers = []
        let expected = [
            "First Name,Middle Name,Last Name,Name Prefix,Name Suffix,Nickname,"
                + "Organization Name,Organization Title,Organization Department,Birthday,Notes,"
                + "Labels,Time Zone,Name,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,"
                + "Phone 1 - Value,Event 1 - Label,Event 1 - Value",
            "Ann,,Lee,,,A ::: B,,,,--04-12,\"one\ntwo\",boat ::: x,,\"Ann \"\"A\"\" Lee\",* Home,"
                + "a@x.org,Work Fax,+1 (2) 3,Anniversary,2010-12-31",
            ",,,,,,,,,,,,,'=1+1,,,,,,", "",
        ]
        #expect(ContactCSVWriter.write([ann, group, bo]) == expected.joined(separator: "\r\n"))
    }

    @Test(arguments: [31, 32, 33] as [UInt64])
    func `Written contacts are read back unchanged`(seed: UInt64) throws {
        print("CSV round trip, seed \(seed)")
        var samples = SampleCards(seed: seed)
        let cards = (0..<300).map { _ in samples.card() }.map(carried)
        let reading = try ContactCSVReader.read(Array(ContactCSVWriter.write(cards).utf8))
        #expect(reading.skipped == [])
        #expect(reading.warnings == [])
        #expect(reading.cards.count == cards.count)
        for (read, written) in zip(reading.cards, cards) {
            #expect(differences(read, written) == [])
        }
    }

    /// The part of `card` that a table can hold: no UID, no unknown properties, no groups, and
    /// labels in one line, beside the address that they are about.
    private func carried(_ card: ContactCard) -> ContactCard {
        var card = card
        card.uid = nil
        card.revision = nil
        card.groupMembers = nil
        card.extra = []
        card.organizationUnits = Array(card.organizationUnits.prefix(1))
        for index in card.addresses.indices where card.addresses[index].label != nil {
            card.addresses[index].label = "Label \(index)"
            if card.addresses[index].street.isEmpty { card.addresses[index].street = "Street" }
        }
        // In a column, types are words, and their case does not matter.
        let lowercased = { (type: String?) in type == "HOME" ? "home" : type }
        for index in card.emails.indices {
            card.emails[index].type = lowercased(card.emails[index].type)
        }
        for index in card.phones.indices {
            card.phones[index].type = lowercased(card.phones[index].type)
        }
        for index in card.addresses.indices {
            card.addresses[index].type = lowercased(card.addresses[index].type)
        }
        return card
    }

    @Test(
        arguments: [
            ("=1+1", "'=1+1"), ("@x", "'@x"), ("+x", "'+x"), ("-x", "'-x"),
            ("+49 (0) 1-2", "+49 (0) 1-2"),
            ("--04-12", "--04-12"), ("a=b", "a=b"), ("'=x", "''=x"), ("'x", "'x"), ("", ""),
            ("＝1", "'＝1"), ("＠x", "'＠x"), ("'＋1", "''＋1"), ("é=1", "é=1"),
        ])
    func `A cell never starts a formula, and numbers stay unchanged`(name: String, cell: String) {
        var card = ContactCard(formattedName: "Ann")
        card.title = name
        let row = ContactCSVWriter.write([card]).split(separator: "\r\n").last ?? ""
        #expect(row == ",,,,,,,\(cell),,,,,,Ann")
    }

    @Test func `A contact with very many addresses widens the table only up to a limit`() {
        var card = ContactCard(formattedName: "Ann")
        card.emails = (0..<500).map { .init(address: "a\($0)@x.org") }
        let header = ContactCSVWriter.write([card]).split(separator: "\r\n").first ?? ""
        #expect(header.hasSuffix("E-mail \(ContactCSVWriter.slotsMax) - Value"))
    }
}
