import Interchange
import Testing

/// The additions of large programs to their exports, beside the data of people.
@Suite struct OddExportsTests {
    private func table(_ header: String, _ rows: String...) -> CardReading {
        let text = ([header] + rows).joined(separator: "\n") + "\n"
        return ContactFile.read(Array(text.utf8), name: "contacts.csv")
    }

    private func card(_ lines: String...) -> CardReading {
        let text = (["BEGIN:VCARD", "VERSION:3.0", "FN:Ann"] + lines + ["END:VCARD", ""])
            .joined(separator: "\r\n")
        return ContactFile.read(Array(text.utf8), name: "contacts.vcf")
    }

    private func unused(_ reading: CardReading) -> [String] {
        reading.unused.map { "\($0.what) \($0.count) \($0.line)" }
    }

    @Test func `Google's own groups are no categories, and that is said`() {
        let found = table(
            "First Name,Labels,E-mail 1 - Value",
            "Ann,Choir ::: * myContacts ::: * starred,a@x.org",
            "Ben,* myContacts ::: * Freunde ::: friends,b@x.org")
        #expect(found.cards.map(\.categories) == [["Choir"], ["friends"]])
        #expect(
            unused(found) == [
                "Google's own group \"myContacts\" 2 2", "Google's own group \"starred\" 1 2",
                "Google's own group \"Freunde\" 1 3",
            ])
    }

    @Test func `Google's own groups of its old format are no categories`() {
        let found = table(
            "Name,Group Membership,E-mail 1 - Value",
            "Ann,System Group: My Contacts ::: Starred in Android ::: Choir,a@x.org")
        #expect(found.cards.map(\.categories) == [["Choir"]])
        #expect(unused(found).count == 2)
    }

    @Test func `Google's own categories of a card are kept, and it is said that they are unused`() {
        let found = card("CATEGORIES:myContacts,starred,Choir")
        #expect(found.cards.map(\.categories) == [["myContacts", "starred", "Choir"]])
        #expect(
            unused(found) == [
                "Google's own group \"myContacts\" 1 4", "Google's own group \"starred\" 1 4",
            ])
    }

    @Test(arguments: ["1/1/4501", "01.01.4501", "4501-01-01", "1/1/4501 12:00:00 AM"])
    func `The date that Outlook writes for none is none`(_ date: String) {
        let found = table("Name,E-mail Address,Birthday", "Ann,a@x.org,\(date)")
        #expect(found.cards.map(\.birthday) == [nil])
        #expect(found.warnings == [])
    }

    @Test func `Types of an address may have escaped commas between them`() {
        let found = card("EMAIL;TYPE=HOME\\,INTERNET:a@x.org", "TEL;TYPE=VOICE\\,CELL:+1")
        #expect(found.cards.first?.emails.map(\.type) == ["home"])
        #expect(found.cards.first?.phones.map(\.type) == ["cell"])
    }

    @Test func `A table in the code page of DOS is read, and that is said`() {
        let name = Array("J".utf8) + [0x81] + Array("rgen Gr".utf8) + [0x84] + Array("f".utf8)
        let text = Array("Name,Email\n".utf8) + name + Array(",j@x.org\n".utf8)
        let found = ContactFile.read(text, name: "contacts.csv")
        #expect(found.cards.map(\.formattedName) == ["Jürgen Gräf"])
        #expect(
            found.warnings.map(\.message) == [
                "the text is not UTF-8; it was read in the encoding code page 850"
            ])
    }

    @Test func `A letter of UTF-8 with the same byte is not taken for one of DOS`() {
        let found = table("Name,Email", "Zażółć Ł,z@x.org")
        #expect(found.cards.map(\.formattedName) == ["Zażółć Ł"])
        #expect(found.warnings == [])
    }
}
