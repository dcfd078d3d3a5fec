import Interchange
import Testing

/// Which mail addresses of a file are the person's own, and that each of them is read.
struct OwnAddressTests {
    private func emails(_ header: String, _ value: String) throws -> ([String], unused: [String]) {
        let reading = try ContactCSVReader.read(
            Array("First Name,Last Name,Phone,\(header)\nBen,Berg,123,\(value)\n".utf8))
        #expect(reading.skipped == [])
        return (
            reading.cards.first?.emails.map(\.address) ?? [], reading.unused.map(\.name)
        )
    }

    @Test(arguments: [
        "Owner Email", "Spouse E-mail", "Manager's Email", "Emergency Contact Email",
        "Reports To Email", "E-Mail Ehefrau", "E-Mail Eltern", "E-Mail Sekretariat",
        "Assistant Email", "Email Opt Out", "E-Mail-Newsletter", "Letzte E-Mail am",
        "Courriel du conjoint", "Correo del jefe", "Billing Email",
    ])
    func `An address of somebody else, or no address, is not the person's`(
        _ header: String
    ) throws {
        let (addresses, unused) = try emails(header, "sales@crm.example")
        #expect(addresses == [] && unused == [header])
    }

    @Test(arguments: [
        "Email", "E-Mail-Adresse", "E-mail 2 Address", "E-Mail privat", "E-Mail (geschäftlich)",
        "Private E-Mail", "Zusätzliche E-Mail-Adresse", "Adresse e-mail", "Courriel",
        "Adresse de messagerie professionnelle", "Correo electrónico", "Contact Email",
        "Customer Email", "Work Email", "Company Email", "Firmen-E-Mail", "E-Mail gesch.",
        "Mail pro",
        "Email perso", "E-Mail (erforderlich)", "Your email", "email_address",
        "Dirección de correo electrónico 2", "Dirección del correo electrónico 2", "Mél",
        "E-Mail (dienstl.)", "PrimarySmtpAddress", "Email Address [Required]",
    ])
    func `The person's own address is read`(_ header: String) throws {
        #expect(try emails(header, "ben@x.example") == (["ben@x.example"], unused: []))
    }

    @Test(arguments: [
        ("\"Two, Tim\" <tim@x.example>", "Two, Tim"),
        ("Tim Two <tim@x.example>", "Tim Two"),
        ("=?UTF-8?Q?J=C3=B6rg?= <tim@x.example>", "Jörg"),
        ("tim@x.example <tim@x.example>", "tim@x.example"),
    ])
    func `The name beside an address names a person without a name`(
        _ value: String, _ name: String
    ) throws {
        let quoted = value.replacing("\"", with: "\"\"")
        let reading = try ContactCSVReader.read(
            Array("Name,Email\n,\"\(quoted)\"\n".utf8))
        #expect(reading.cards.first?.formattedName == name)
        #expect(reading.cards.first?.emails.map(\.address) == ["tim@x.example"])
    }

    @Test func `An emergency contact's phone is not the person's`() throws {
        let reading = try ContactCSVReader.read(
            Array("Name,Email,Emergency contact phone\nBen,b@x.example,112\n".utf8))
        #expect(reading.cards.first?.phones.isEmpty == true)
        #expect(reading.unused.map(\.name) == ["Emergency contact phone"])
    }

    @Test func `The parts of a mailing address are parts of an address`() throws {
        let reading = try ContactCSVReader.read(
            Array(
                ("Name,Email,Mailing Street,Mailing City,Mailing State/Province,"
                    + "Mailing Zip/Postal Code,Mailing Country\n"
                    + "Ben,b@x.example,1 Main,Town,TX,99,US\n").utf8))
        let card = try #require(reading.cards.first)
        #expect(card.emails.map(\.address) == ["b@x.example"])
        let address = try #require(card.addresses.first)
        #expect(
            [address.street, address.locality, address.region, address.postcode, address.country]
                == ["1 Main", "Town", "TX", "99", "US"])
        #expect(card.addresses.count == 1 && reading.unused == [])
    }

    private static let two = ["a@x.example", "b@x.example"]

    @Test(arguments: [
        ("a@x.example / b@x.example", two), ("a@x.example or b@x.example", two),
        ("a@x.example oder b@x.example", two), ("a@x.example | b@x.example", two),
        ("Eve <a@x.example> Work <b@x.example>", two), ("<a@x.example> b@x.example", two),
        ("'a@x.example'", ["a@x.example"]), ("o'neil@x.example", ["o'neil@x.example"]),
    ])
    func `Each address in a field is read`(_ value: String, _ expected: [String]) throws {
        #expect(try emails("Email", value) == (expected, unused: []))
        let card =
            "BEGIN:VCARD\nVERSION:4.0\nFN:Ben\nEMAIL:\(value)\nEND:VCARD\n"
        #expect(VCardReader.read(Array(card.utf8)).cards.first?.emails.map(\.address) == expected)
    }

    @Test func `Columns beyond the limit, and kinds that are not named, are mentioned`() throws {
        let headers = (0..<519).map { "F\($0)" }.joined(separator: ",")
        let reading = try ContactCSVReader.read(
            Array("Name,\(headers),Email\nBen\(String(repeating: ",x", count: 519)),b@x\n".utf8))
        #expect(
            reading.warnings.map(\.message) == [
                "the file has 521 columns; only the first 500 are read"
            ])
        #expect(reading.unused.count == 51)
        #expect(reading.unused.last?.what == "449 more columns")
        #expect(reading.unused.last?.count == 449 && reading.unused.last?.name == "F50")
    }

    @Test func `A card with a second beginning inside is refused`() {
        let text =
            "BEGIN:VCARD\nVERSION:3.0\nFN:A One\nEMAIL:a@x.example\nNOTE:x\nVERSION:3.0\n"
            + "FN:B Two\nEMAIL:b@x.example\nEND:VCARD\n"
        let reading = VCardReader.read(Array(text.utf8))
        #expect(reading.cards == [])
        #expect(reading.skipped.first?.reason.hasPrefix("the card has a second VERSION") == true)
    }
}
