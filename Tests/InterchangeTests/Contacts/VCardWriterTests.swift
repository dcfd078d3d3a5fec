import Interchange
import Testing

struct VCardWriterTests {
    private var ada: ContactCard {
        var card = ContactCard(formattedName: "Ada, Countess; of L.")
        card.uid = "ada-1"
        card.given = "Ada"
        card.family = "Lovelace"
        card.prefix = "Lady"
        card.nicknames = ["A", "B,C"]
        card.emails = [
            .init(address: "ada@x.org", type: "home", preferred: true),
            .init(address: "al@x.org", type: "Engine room"),
        ]
        card.phones = [.init(number: "+44 1", type: "work fax")]
        var address = ContactCard.PostalAddress()
        address.street = "12 Square;\nRear"
        address.locality = "London"
        address.type = "home"
        address.label = "12 Square: \"Rear\""
        card.addresses = [address]
        card.organization = "Engines"
        card.organizationUnits = ["Notes"]
        card.title = "Countess"
        card.timeZone = "Europe/London"
        card.birthday = "--12-10"
        card.anniversary = "1835-07-08"
        card.note = "one\ntwo"
        card.categories = ["friends"]
        card.urls = ["https://x.org/?a,b;c\\d"]
        card.revision = "20240102T030405Z"
        card.extra = ["item1.X-ODD:1"]
        return card
    }

    @Test func `A card in 3_0 is written exactly as expected`() {
        let expected = [
            "BEGIN:VCARD", "VERSION:3.0", "UID:ada-1", "REV:20240102T030405Z",
            "FN:Ada\\, Countess\\; of L.", "N:Lovelace;Ada;;Lady;", "NICKNAME:A,B\\,C",
            "EMAIL;TYPE=home,pref:ada@x.org", "item2.EMAIL:al@x.org", "item2.X-ABLabel:Engine room",
            "TEL;TYPE=work,fax:+44 1", "ADR;TYPE=home:;;12 Square\\;\\nRear;London;;;",
            "LABEL;TYPE=home:12 Square: \"Rear\"", "ORG:Engines;Notes", "TITLE:Countess",
            "TZ;VALUE=text:Europe/London", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-12-10",
            "X-ANNIVERSARY:1835-07-08", "NOTE:one\\ntwo", "CATEGORIES:friends",
            "URL:https://x.org/?a,b;c\\\\d", "item1.X-ODD:1", "END:VCARD", "",
        ]
        #expect(VCardWriter.write([ada], version: .v3) == expected.joined(separator: "\r\n"))
    }

    @Test func `A card in 4_0 is written exactly as expected`() {
        let expected = [
            "BEGIN:VCARD", "VERSION:4.0", "UID;VALUE=text:ada-1", "REV:20240102T030405Z",
            "FN:Ada\\, Countess\\; of L.", "N:Lovelace;Ada;;Lady;", "NICKNAME:A,B\\,C",
            "EMAIL;TYPE=home;PREF=1:ada@x.org", "item2.EMAIL:al@x.org",
            "item2.X-ABLabel:Engine room", "TEL;TYPE=work,fax:+44 1",
            "ADR;TYPE=home;LABEL=\"12 Square: ^'Rear^'\":;;12 Square\\;\\nRear;London;;;",
            "ORG:Engines;Notes", "TITLE:Countess", "TZ:Europe/London", "BDAY:--1210",
            "ANNIVERSARY:18350708", "NOTE:one\\ntwo", "CATEGORIES:friends",
            "URL:https://x.org/?a,b;c\\\\d", "item1.X-ODD:1", "END:VCARD", "",
        ]
        #expect(VCardWriter.write([ada], version: .v4) == expected.joined(separator: "\r\n"))
    }

    @Test(
        arguments: [
            (
                .v3, ["VERSION:3.0", "X-ADDRESSBOOKSERVER-KIND:group", "FN:All", "N:;;;;"],
                "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:1"
            ),
            (.v4, ["VERSION:4.0", "KIND:group", "FN:All"], "MEMBER:urn:uuid:1"),
        ] as [(VCardWriter.Version, [String], String)])
    func `A group is written with its members`(
        version: VCardWriter.Version, head: [String], member: String
    ) {
        var group = ContactCard(formattedName: "All")
        group.groupMembers = ["urn:uuid:1"]
        let expected = ["BEGIN:VCARD"] + head + [member, "END:VCARD", ""]
        #expect(VCardWriter.write([group], version: version) == expected.joined(separator: "\r\n"))
    }

    @Test func `A missing name is derived from other properties`() {
        var card = ContactCard(formattedName: "")
        card.emails = [.init(address: "a@x.org")]
        #expect(VCardWriter.write([card], version: .v4).contains("\r\nFN:a@x.org\r\n"))
    }

    @Test(arguments: ["someday", "1990-02-30", ""])
    func `A date in another form is left out`(date: String) {
        var card = ContactCard(formattedName: "Ann")
        card.birthday = date
        #expect(!VCardWriter.write([card], version: .v3).contains("BDAY"))
    }

    @Test func `Text in a card cannot end the card`() {
        var card = ContactCard(formattedName: "A\r\nEND:VCARD")
        card.note = "x\r\nBEGIN:VCARD"
        card.urls = ["u\r\nEND:VCARD"]
        card.emails = [.init(address: "a@x.org\nEND:VCARD", type: "t\nEND:VCARD")]
        let text = VCardWriter.write([card], version: .v3)
        #expect(text.split(separator: "\r\n").filter { $0.hasPrefix("END:VCARD") }.count == 1)
    }

    @Test func `An empty list gives an empty file`() {
        #expect(VCardWriter.write([], version: .v4) == "")
    }
}
