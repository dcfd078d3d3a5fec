import Interchange
import Testing

/// Contact files of other programs, with the expected result for each.
@Suite(.enabled(if: Corpus.isThere, "shared/corpus is not beside this checkout"))
struct VCardCorpusTests {
    /// The expected result for a file with one card.
    struct Expectation: CustomTestStringConvertible, Sendable {
        var file: String
        var name: String
        var parts: [String] = ["", ""]
        var emails: [String] = []
        var preferred: String?
        var phones: [String] = []
        var birthday: String?
        var organization = ""
        var hasPhoto = false
        var uid: String?

        var testDescription: String { file }
    }

    static let expectations = [
        Expectation(
            file: "ccs-caldavtester--15.vcf", name: "Źacc Ňug", parts: ["Źacc", "Ňug"],
            emails: ["work adamczyk@example.com"], preferred: "adamczyk@example.com",
            hasPhoto: true, uid: "758A985D-4887-4FC4-A670-3D7BC920D2A1:ABPerson"),
        Expectation(
            file: "ccs-caldavtester--16.vcf", name: "Group", parts: ["", "Group"],
            uid: "760d9b28-5a13-4880-b7eb-5769e6600fa3"),
        Expectation(
            file: "ez-vcard--John_Doe_BLACK_BERRY.vcf", name: "John Doe", parts: ["john", "Doe"],
            phones: ["cell +96123456789"], organization: "Acme Solutions", hasPhoto: true),
        Expectation(
            file: "ez-vcard--John_Doe_GMAIL.vcf", name: "Mr. John Richter, James Doe Sr.",
            parts: ["John", "Doe"], emails: ["home john.doe@ibm.com"],
            phones: ["cell 905-555-1234", "home 905-666-1234"], birthday: "1980-03-22",
            organization: "IBM"),
        Expectation(
            file: "ez-vcard--John_Doe_LOTUS_NOTES.vcf", name: "Mr. Doe John I Johny",
            parts: ["John", "Doe"],
            emails: ["work john.doe@ibm.com", "work billy_bob@gmail.com"],
            preferred: "john.doe@ibm.com",
            phones: ["cell +1 (212) 204-34456", "work fax 00-1-212-555-7777"],
            birthday: "1980-05-21", organization: "IBM", hasPhoto: true,
            uid: "0e7602cc-443e-4b82-b4b1-90f62f99a199"),
        Expectation(
            file: "ez-vcard--fullcontact.vcf",
            name: "Prefix FirstName MiddleName LastName Suffix", parts: ["FirstName", "LastName"],
            emails: [
                "home home@example.com", "work work@example.com", "school school@example.com",
                "other other@example.com", "customtype custom@example.com",
            ],
            phones: [
                "home 555-555-1111", "work 555-555-1112", "cell 555-555-1113",
                "cell 555-555-1114", "- 555-555-1115", "home fax 555-555-1116",
                "work fax 555-555-1117", "- 555-555-1118", "- 555-555-1119",
            ],
            birthday: "2016-08-01", organization: "Organization1", hasPhoto: true),
        Expectation(
            file: "ez-vcard--gmail-single.vcf", name: "Greg Dartmouth",
            parts: ["Greg", "Dartmouth"], emails: ["- gdartmouth@hotmail.com"],
            phones: ["cell 555 555 1111", "GRAND_CENTRAL 555 555 2222"], birthday: "1960-09-10",
            organization: "TheCompany"),
        Expectation(
            file: "ez-vcard--issue114.vcf", name: "Dummy, Dummy", parts: ["Dummy", "Dummy"],
            emails: ["home dummy.dummy@dummy.com"],
            phones: ["cell +49 1234 56789", "work +49 9876 54321"], organization: "Dummy GmbH",
            uid: "8b574c60-fd7f-4e99-b584-c5db131ae687"),
        Expectation(
            file: "ez-vcard--outlook-2003.vcf", name: "John Doe III", parts: ["John", "Doe"],
            emails: ["- jdoe@hotmail.com"], preferred: "jdoe@hotmail.com",
            phones: [
                "work BusinessPhone", "home HomePhone", "cell MobilePhone",
                "work fax BusinessFaxPhone",
            ],
            birthday: "1980-03-21", organization: "Company, The"),
        Expectation(
            file: "ez-vcard--thunderbird-MoreFunctionsForAddressBook-extension.vcf",
            name: "John Doe", parts: ["John", "Doe"],
            emails: [
                "- doe.john@hotmail.com", "- additional-email@company.com",
                "- additional-email1@company.com", "- additional-email2@company.com",
                "- additional-email3@company.com",
            ],
            preferred: "doe.john@hotmail.com",
            phones: [
                "work 555-555-1111", "home 555-555-2222", "cell 555-555-5555",
                "fax 555-555-3333", "pager 555-555-4444",
            ],
            birthday: "1970-09-21", organization: "TheOrganization", hasPhoto: true),
        Expectation(
            file: "ical.js--escape_semicolon.vcf", name: "First Last NextCloud",
            emails: ["home home@gmx.de", "work work@gmx.de"],
            phones: ["home 11111111", "cell 205333", "work fax 205246;;,;", "work 222222"],
            birthday: "2019-02-10", organization: "Firma",
            uid: "ad612c16-fe12-4ec5-abf6-49998ee5ab88"),
        Expectation(
            file: "vobject--radicale-1587.vcf", name: "Given Family", parts: ["Given", "Family"]),
    ]

    @Test(arguments: expectations)
    func `A file of another program is read`(expected: Expectation) throws {
        let reading = VCardReader.read(try Corpus.bytes(of: expected.file))
        #expect(reading.skipped == [])
        #expect(reading.warnings == [])
        #expect(reading.cards.count == 1)
        let card = try #require(reading.cards.first)
        #expect(card.formattedName == expected.name)
        #expect([card.given, card.family] == expected.parts)
        #expect(card.emails.map { "\($0.type ?? "-") \($0.address)" } == expected.emails)
        #expect(card.emails.first(where: \.preferred)?.address == expected.preferred)
        #expect(card.phones.map { "\($0.type ?? "-") \($0.number)" } == expected.phones)
        #expect(card.birthday == expected.birthday)
        #expect(card.organization == expected.organization)
        #expect(card.hasPhoto == expected.hasPhoto)
        #expect(card.uid == expected.uid)
        #expect(card.line == 1)
    }

    @Test func `The two cards of RFC 2426 are read`() throws {
        let reading = VCardReader.read(try Corpus.bytes(of: "ez-vcard--rfc2426-example.vcf"))
        #expect(reading.skipped == [])
        #expect(reading.cards.map(\.formattedName) == ["Frank Dawson", "Tim Howes"])
        #expect(reading.cards.map(\.line) == [1, 13])
        #expect(reading.cards[0].emails.map(\.preferred) == [true, false])
        #expect(reading.cards[0].addresses.map(\.locality) == ["Raleigh"])
        #expect(reading.cards[1].addresses.map(\.region) == ["CA"])
        #expect(reading.cards[1].addresses.map(\.postcode) == ["94043"])
    }

    @Test func `A card with only a picture is skipped and reported`() throws {
        let reading = VCardReader.read(try Corpus.bytes(of: "vobject--issue64.vcf"))
        #expect(reading.cards == [])
        let reason = "the card has no name, no mail address and no phone number"
        #expect(reading.skipped == [SkippedPart(line: 1, words: RemarkText(reason))])
    }

    @Test func `A macOS group contains each member once`() throws {
        let reading = VCardReader.read(try Corpus.bytes(of: "ccs-caldavtester--16.vcf"))
        let members = try #require(reading.cards.first?.groupMembers)
        #expect(members.count == 13)
        #expect(members.first == "urn:uuid:FCBA0FA3-00B2-4C95-B4EC-4CCC4843F8B1")
        #expect(members.suffix(2) == ["mailto:user01@example.com", "mailto:user02@example.com"])
    }

    @Test func `Unusual values in single files are read as intended`() throws {
        func card(_ file: String) throws -> ContactCard {
            try #require(VCardReader.read(try Corpus.bytes(of: file)).cards.first)
        }
        let gmail = try card("ez-vcard--gmail-single.vcf")
        #expect(gmail.urls == ["http://TheProfile.com"])
        #expect(gmail.anniversary == "1970-06-02")
        #expect(gmail.addresses.map(\.type) == ["home", "CustomAdrType"])
        let issue114 = try card("ez-vcard--issue114.vcf")
        #expect(
            issue114.addresses.map(\.label) == [
                "Dummy-Dummy-Strasse 1 61352 Bad Homburg\nGERMANY\""
            ])
        #expect(issue114.addresses.map(\.country) == ["Germany"])
        #expect(issue114.phones.map(\.preferred) == [true, false])
        let outlook = try card("ez-vcard--outlook-2003.vcf")
        #expect(
            outlook.note == "This is the note field!!\nSecond line\n\nThird line is empty")
        #expect(
            outlook.addresses.map(\.label) == [
                "TheOffice\n123 Main St\nAustin, TX 12345\nUnited States of America"
            ])
        #expect(outlook.extra.map { $0.prefix(26) }.contains("KEY;TYPE=X509;ENCODING=b:M"))
        let lotus = try card("ez-vcard--John_Doe_LOTUS_NOTES.vcf")
        #expect(lotus.nicknames == ["Johny,JayJay"])
        #expect(lotus.timeZone == "1:00")
        let thunderbird = try card(
            "ez-vcard--thunderbird-MoreFunctionsForAddressBook-extension.vcf")
        #expect(thunderbird.categories == ["category1, category2, category3"])
        #expect(thunderbird.anniversary == "1990-04-30")
        #expect(try card("vobject--radicale-1587.vcf").extra == ["GEO:37.386013;-122.082932"])
    }

    @Test(arguments: [VCardWriter.Version.v3, .v4])
    func `Every file is written and read again without loss`(version: VCardWriter.Version) throws {
        for name in try Corpus.names() {
            let first = VCardReader.read(try Corpus.bytes(of: name)).cards
            let second = VCardReader.read(Array(VCardWriter.write(first, version: version).utf8))
            #expect(second.skipped.count == (first.isEmpty ? 1 : 0))
            #expect(second.cards.count == first.count)
            for (before, after) in zip(first, second.cards) {
                #expect(after.extra.count == before.extra.count)
                #expect(after.hasPhoto == before.hasPhoto)
                var expected = before
                expected.extra = after.extra
                #expect(differences(after, expected) == [])
            }
        }
    }

    @Test func `Every file of the corpus is tested here`() throws {
        let expected =
            Self.expectations.map(\.file) + [
                "ez-vcard--rfc2426-example.vcf", "vobject--issue64.vcf",
            ]
        #expect(try Corpus.names() == expected.sorted())
    }
}
