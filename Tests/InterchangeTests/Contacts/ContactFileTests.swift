import Interchange
import Testing

struct ContactFileTests {
    @Test(
        arguments: [
            ("BEGIN:VCARD\nFN:A\nEND:VCARD\n", "", .vCard),
            ("hello\r\n begin\r\nbegin:vcard\r\n", "a.csv", .vCard),
            ("name,email\n", "a.csv", .csv), ("name,email\n", "", .csv),
            ("nothing", "A.VCF", .vCard),
            ("", "a.vcard", .vCard), ("", "", .csv), ("name,note\nA,BEGIN:VCARD\n", "", .csv),
        ] as [(String, String, ContactFile.Format)])
    func `Bytes decide the file format`(text: String, name: String, format: ContactFile.Format) {
        #expect(ContactFile.format(of: Array(text.utf8), name: name) == format)
        let marked = [0xFF, 0xFE] + utf16(text)
        #expect(ContactFile.format(of: marked, name: name) == format)
    }

    @Test func `Both formats are read`() {
        let cards = file("BEGIN:VCARD", "FN:Ann", "END:VCARD")
        #expect(ContactFile.read(cards, name: "a").cards.map(\.formattedName) == ["Ann"])
        let table = file("name", "Bo")
        #expect(ContactFile.read(table, name: "a").cards.map(\.formattedName) == ["Bo"])
    }

    @Test func `An unreadable file is reported as one skipped part`() {
        let reading = ContactFile.read(file("", "foo,bar", "1,2"), name: "a.csv")
        #expect(reading.cards == [])
        #expect(reading.skipped.map(\.line) == [2])
        #expect(
            reading.skipped.first?.reason.hasPrefix(
                "the first line must name the columns, but none of \"foo, bar\" is known.") == true)
        #expect(
            ContactFile.read([], name: "a").skipped
                == [SkippedPart(line: 1, words: "the file is empty")])
    }

    @Test(arguments: ["book.vcf", "book.csv"])
    func `Reading ends within 100 lines after it is stopped`(name: String) {
        let people = (0..<1000).map { "P\($0)" }
        let text =
            name.hasSuffix(".csv")
            ? "name,email\n" + people.map { "\($0),\($0)@e.org\n" }.joined()
            : people.map { "BEGIN:VCARD\nVERSION:3.0\nFN:\($0)\nEND:VCARD\n" }.joined()
        var asked = 0
        let reading = ContactFile.read(Array(text.utf8), name: name) {
            asked += 1
            return asked > 2
        }
        #expect(asked == 3)
        #expect((1...200).contains(reading.cards.count))
    }
}

struct ContactCardTests {
    @Test(
        arguments: [
            ("urn:uuid:ED7A", "ed7a"), ("URN:UUID:ed7a:ABPerson", "ed7a"),
            ("ED7A:ABPerson", "ed7a"),
            ("mailto:A@x.org", "mailto:a@x.org"), ("", ""),
        ])
    func `UIDs are compared without prefix, suffix and case`(reference: String, key: String) {
        #expect(ContactCard.memberKey(of: reference) == key)
    }

    @Test(
        arguments: [
            ("PHOTO:https://x", true), ("item1.photo;TYPE=JPEG:AA", true), ("X-PHOTO:1", false),
            ("LOGO:AA", false),
        ])
    func `A card has a photo only if it has a PHOTO property`(extra: String, hasPhoto: Bool) {
        var card = ContactCard(formattedName: "Ann")
        card.extra = [extra]
        #expect(card.hasPhoto == hasPhoto)
    }
}
