import Interchange
import Testing

/// Names and numbers as people write them into one field.
struct WrittenValuesTests {
    private func read(_ header: String, _ row: String) throws -> CardReading {
        try ContactCSVReader.read(Array("\(header)\n\(row)\n".utf8))
    }

    @Test(arguments: [
        ("Meier, Anna", ["", "Anna", "Meier", ""], "Anna Meier"),
        ("Müller, Dr. Jürgen", ["Dr.", "Jürgen", "Müller", ""], "Dr. Jürgen Müller"),
        ("Smith, John, Jr.", ["", "John", "Smith", "Jr."], "John Smith Jr."),
        ("ACME, Inc.", ["", "", "", ""], "ACME, Inc."),
        ("Meier, Schulz & Partner", ["", "", "", ""], "Meier, Schulz & Partner"),
        ("Company, The", ["", "", "", ""], "Company, The"),
        ("Saal 1, Haus 2", ["", "", "", ""], "Saal 1, Haus 2"),
    ])
    func `A family name before a comma is put behind the given name, except of companies`(
        name: String, parts: [String], formatted: String
    ) throws {
        let card = try #require(try read("Name;Email", "\(name);a@x.org").cards.first)
        #expect([card.prefix, card.given, card.family, card.suffix] == parts)
        #expect(card.formattedName == formatted)
    }

    @Test(arguments: [("Anna & Ben Meier", 1), ("Anna und Ben Meier", 1), ("Smith and Sons", 0)])
    func `A row with two people becomes one contact, with a warning`(
        name: String, count: Int
    ) throws {
        let reading = try read("Name;Email", "\(name);a@x.org")
        #expect(reading.cards.map(\.formattedName) == [name])
        #expect(reading.warnings.count == count)
    }

    @Test(arguments: [
        ("030/123, 0170/456", ["030/123", "0170/456"]), ("030 1; 0170 2", ["030 1", "0170 2"]),
        ("030 1234 oder 0170 23", ["030 1234", "0170 23"]),
        ("030 12345 / 0170 67890", ["030 12345", "0170 67890"]),
        ("030-1234567/68", ["030-1234567/68"]), ("030 123456 / 7", ["030 123456 / 7"]),
        ("+49 (0)30 123-45 Durchwahl 7", ["+49 (0)30 123-45 Durchwahl 7"]),
        ("0049 30 123 ext. 5", ["0049 30 123 ext. 5"]), ("tel:+1-2;ext=5", ["+1-2 ext. 5"]),
    ])
    func `Several numbers in one field are taken apart where each is whole`(
        field: String, numbers: [String]
    ) throws {
        let reading = try read("Name|Phone", "Ann|\(field)")
        #expect(reading.cards.first?.phones.map(\.number) == numbers)
    }

    @Test(arguments: ["none", "-", "4.93012E+11"])
    func `A text that is no number is left out, and that is said`(field: String) throws {
        let reading = try read("Name;Phone", "Ann;\(field)")
        #expect(reading.cards.first?.phones == [])
        #expect(reading.skipped.map(\.reason) == ["\"\(field)\" is not a phone number"])
    }

    @Test func `A word in brackets behind a number is its type`() throws {
        let reading = try read("Name;Phone", "Ann;030 12345 (privat)")
        #expect(reading.cards.first?.phones == [.init(number: "030 12345", type: "home")])
    }

    private func cards(_ lines: String..., ending: String = "\n") -> CardReading {
        VCardReader.read(Array((lines.joined(separator: "\n") + ending).utf8))
    }

    @Test func `The card of an agent may begin behind its name`() {
        let reading = cards(
            "BEGIN:VCARD", "VERSION:2.1", "FN:Ann", "AGENT:BEGIN:VCARD", "VERSION:2.1", "FN:Agent",
            "EMAIL:agent@x.org", "END:VCARD", "EMAIL:a@x.org", "END:VCARD")
        #expect(reading.cards.map(\.formattedName) == ["Ann"])
        #expect(reading.cards.flatMap(\.emails).map(\.address) == ["a@x.org"])
        #expect(reading.skipped == [])
    }

    @Test(arguments: [
        ("Büro", "work"), ("privat", "home"), ("HANDY", "cell"), ("mobile", "mobile"),
        ("boat", "boat"),
    ])
    func `The types of a card are read in other languages`(word: String, type: String) {
        let reading = cards(
            "BEGIN:VCARD", "VERSION:3.0", "FN:Ann", "TEL;TYPE=\(word):+1", "END:VCARD")
        #expect(reading.cards.flatMap(\.phones).map(\.type) == [type])
    }
}
