import Interchange
import Testing

/// Cards and tables that are damaged, joined or written in forms of single programs.
struct OddCardsTests {
    @Test(
        arguments: [
            (";;;;;;;Main Street 5\\nTown", "", "Main Street 5\nTown"),
            (";;Main Street 5;;;;;Main Street 5\\nTown", "Main Street 5", nil),
        ] as [(String, String, String?)])
    func `An address that is only written behind its parts is kept as a label`(
        value: String, street: String, label: String?
    ) {
        let reading = VCardReader.read(card("ADR;TYPE=home:\(value)"))
        let addresses = reading.cards.flatMap(\.addresses)
        #expect(addresses.map(\.street) == [street])
        #expect(addresses.map(\.label) == [label])
        #expect(addresses.map(\.type) == ["home"])
    }

    @Test(
        arguments: [
            (["VERSION:3.0", "VERSION:3.0", "FN:Ann"], ["Ann"]),
            (["VERSION:3.0", "FN:Ann", "VERSION:3.0", "FN:Bo"], []),
        ] as [([String], [String])])
    func `A card with a second version is read if it has one name`(
        lines: [String], names: [String]
    ) {
        let whole = ["BEGIN:VCARD"] + lines + ["EMAIL:a@x.org", "END:VCARD"]
        let reading = VCardReader.read(Array(whole.joined(separator: "\r\n").utf8))
        #expect(reading.cards.map(\.formattedName) == names)
        #expect(reading.skipped.count == 1 - names.count)
        #expect(reading.skipped.allSatisfy { $0.reason.hasPrefix("the card has a second VERSION") })
    }

    @Test(arguments: [
        (["FN:Joe", "EMAIL:joe@x.orgBEGIN:VCARD", "FN:Jane"], ["Jane"], 1),
        (["FN:Joe", "TEL:1BEGIN:VCARD", "VERSION:3.0", "FN:Jane"], ["Jane"], 1),
        (["FN:Joe", "NOTE:xEND:VCARDBEGIN:VCARD", "VERSION:3.0", "FN:Jane"], ["Joe", "Jane"], 0),
        (["FN:Joe", "EMAIL:joe@x.orgEND:VCARD", "BEGIN:VCARD", "FN:Jane"], ["Joe", "Jane"], 0),
        (["FN:Joe", "NOTE:see BEGIN:VCARD", "TEL:1"], ["Joe"], 0),
        (["FN:Joe", "NOTE:see END:VCARD", "TEL:1"], ["Joe"], 0),
    ])
    func `A card that begins or ends behind a property is not mixed with another`(
        lines: [String], names: [String], skipped: Int
    ) {
        let whole = ["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD"]
        let reading = VCardReader.read(Array(whole.joined(separator: "\r\n").utf8))
        #expect(reading.cards.map(\.formattedName) == names)
        #expect(reading.skipped.count == skipped)
    }

    @Test(arguments: ["QUOTED", "quoted", "QP"])
    func `A shortened name of the encoding is understood`(encoding: String) {
        let name = "FN;CHARSET=UTF-8;ENCODING=\(encoding):J=C3=B6rg"
        let reading = VCardReader.read(file("BEGIN:VCARD", "VERSION:2.1", name, "END:VCARD"))
        #expect(reading.cards.map(\.formattedName) == ["Jörg"])
    }

    @Test func `A name that is only written with the address is the name of the person`() throws {
        let address = "Jo Doe <jo@example.org>"
        let readings = [
            VCardReader.read(file("BEGIN:VCARD", "VERSION:3.0", "EMAIL:\(address)", "END:VCARD")),
            try ContactCSVReader.read(file("email", address)),
        ]
        for reading in readings {
            #expect(reading.cards.map(\.formattedName) == ["Jo Doe"])
            #expect(reading.cards.map { $0.emails.map(\.address) } == [["jo@example.org"]])
            #expect(reading.skipped == [])
        }
    }

    @Test(arguments: [
        (["FN;PREF=2:Ann", "FN;PREF=1:Bo"], "Bo"), (["FN:Ann", "FN;PREF=90:Bo"], "Bo"),
        (["FN:Ann", "FN:Bo"], "Ann"), (["FN;PREF=1:Ann", "FN;PREF=1:Bo"], "Ann"),
        (["FN:=?UTF-8?B?SsO2cmc=?="], "Jörg"),
    ])
    func `Of several names the preferred one is kept, and encoded words are read`(
        _ lines: [String], _ name: String
    ) {
        let whole = ["BEGIN:VCARD", "VERSION:4.0"] + lines + ["EMAIL:a@x.org", "END:VCARD"]
        let reading = VCardReader.read(Array(whole.joined(separator: "\r\n").utf8))
        #expect(reading.cards.map(\.formattedName) == [name])
    }

    @Test func `Text before the beginning of a card costs no card`() {
        let reading = VCardReader.read(
            file(
                "BEGIN:VCARD", "FN:Ann", "END:VCARD", "NULLBEGIN:VCARD", "FN:Bo", "END:VCARD",
                "BEGIN:VCARD", "FN:Cy", "END:VCARD"))
        #expect(reading.cards.map(\.formattedName) == ["Ann", "Bo", "Cy"])
        #expect(reading.cards.map(\.line) == [1, 4, 7])
        #expect(reading.skipped == [])
    }

    @Test func `A property whose name is too long is reported, and its card is kept`() {
        let name = String(repeating: "X", count: 256)
        let reading = VCardReader.read(card("\(name):1", "EMAIL:a@x.org"))
        #expect(reading.cards.map(\.formattedName) == ["Ann"])
        #expect(reading.cards.map { $0.emails.map(\.address) } == [["a@x.org"]])
        #expect(reading.skipped.map(\.line) == [4])
        let reason = reading.skipped.first?.reason ?? ""
        #expect(reason.hasSuffix("\" is not a property of a card"), "\(reason)")
    }

    @Test func `A phone number with thousands of types is read`() {
        let types = String(repeating: ",home", count: 2000)
        let reading = VCardReader.read(card("TEL;TYPE=work\(types):+1", "EMAIL:a@x.org"))
        #expect(reading.cards.map { $0.phones.map(\.number) } == [["+1"]])
        #expect(reading.cards.map { $0.emails.map(\.address) } == [["a@x.org"]])
        #expect(reading.skipped == [])
    }

    @Test(arguments: [
        "name,email\nAnn,a@x.org\nName,Email\nBo,b@x.org\n",
        "name,email\nAnn,a@x.org\nEmail,Name\nb@x.org,Bo\n",
        "#name,email\nAnn,a@x.org\nBo,b@x.org\n",
        "Export of the club\nOnly for members\n\nname,email\nAnn,a@x.org\nBo,b@x.org\n",
    ])
    func `A header is found as a comment, below explanations and once more between the rows`(
        text: String
    ) throws {
        let reading = try ContactCSVReader.read(Array(text.utf8))
        #expect(reading.cards.map(\.formattedName) == ["Ann", "Bo"])
        #expect(reading.cards.map { $0.emails.map(\.address) } == [["a@x.org"], ["b@x.org"]])
        #expect(reading.skipped == [] && reading.warnings == [])
    }
}
