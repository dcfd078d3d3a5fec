import Interchange
import TestKit

/// A generator of contacts with text that formats have difficulties with.
struct SampleCards {
    private var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    mutating func card() -> ContactCard {
        var card = ContactCard(formattedName: line())
        card.uid = chance() ? line() : nil
        card.given = chance() ? line() : ""
        card.family = chance() ? line() : ""
        card.additional = chance() ? line() : ""
        card.prefix = chance() ? line() : ""
        card.suffix = chance() ? line() : ""
        card.nicknames = distinct { $0.line() }
        card.emails = emails()
        card.phones = phones()
        card.addresses = addresses()
        card.organization = chance() ? line() : ""
        card.organizationUnits = distinct { $0.line() }
        card.title = chance() ? line() : ""
        card.timeZone =
            chance() ? ["Europe/Paris", "-05:00", line()].randomElement(using: &random) : nil
        card.birthday =
            chance() ? ["1990-04-12", "--02-29", "2000-02-29"].randomElement(using: &random) : nil
        card.anniversary = chance() ? ["2010-12-31", "--04-12"].randomElement(using: &random) : nil
        card.note = chance() ? block() : ""
        card.categories = distinct { $0.line() }
        card.urls = distinct { $0.line() }
        card.groupMembers = chance() ? nil : members()
        card.extra = extra()
        card.revision = chance() ? "20240102T030405Z" : nil
        return card
    }

    /// One line of text, trimmed and not empty.
    mutating func line() -> String {
        text(of: SampleCards.pieces, separators: [" "])
    }

    /// Text that may have several lines, trimmed and not empty.
    mutating func block() -> String {
        text(of: SampleCards.pieces + ["\n", "\n\n"], separators: [" ", "\n"])
    }

    private static let pieces = [
        ";", ",", "\\", "\\n", "\\,", "n", "N", "\"", ":", "^", "^n", "^'", "'", "=", "=0D", "é",
        "日本",
        "😀", "👩‍👩‍👧", "e\u{301}", " ", "  ", "x", "Ann", "BEGIN:VCARD", "END:VCARD", "_$!<", ">!$_",
        "&", "<b>", "+", "-",
        "%41", "\u{FEFF}", "\u{202E}", String(repeating: "long", count: 30),
        String(repeating: "ü", count: 50),
    ]

    private mutating func text(of pieces: [String], separators: [Character]) -> String {
        var text = "x"
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            text += pieces.randomElement(using: &random) ?? ""
        }
        if chance() { text.removeFirst() }
        while let first = text.first, separators.contains(first) { text.removeFirst() }
        while let last = text.last, separators.contains(last) { text.removeLast() }
        return text.isEmpty ? "x" : text
    }

    private mutating func emails() -> [ContactCard.Email] {
        let preferred = Int.random(in: 0...5, using: &random)
        return (0..<Int.random(in: 0...3, using: &random)).map { index in
            ContactCard.Email(
                address: ["a+b'c@x.org", "ü@ex\u{e4}mple.org", "x=y/z!#$%&*@[1.2.3.4]"][index],
                type: type(), preferred: index == preferred)
        }
    }

    private mutating func phones() -> [ContactCard.Phone] {
        let preferred = Int.random(in: 0...5, using: &random)
        return (0..<Int.random(in: 0...3, using: &random)).map { index in
            let number = chance() ? "+49 170 (0) \(index)" : line()
            return ContactCard.Phone(number: number, type: type(), preferred: index == preferred)
        }
    }

    private mutating func addresses() -> [ContactCard.PostalAddress] {
        let preferred = Int.random(in: 0...5, using: &random)
        return (0..<Int.random(in: 0...3, using: &random)).map { index in
            var address = ContactCard.PostalAddress()
            address.poBox = chance() ? line() : ""
            address.extended = chance() ? block() : ""
            address.street = chance() ? block() : ""
            address.locality = chance() ? line() : ""
            address.region = chance() ? line() : ""
            address.postcode = chance() ? line() : ""
            address.country = chance() ? line() : ""
            address.type = type()
            address.label = chance() ? block() : nil
            if address.isEmpty { address.locality = "Here" }
            address.preferred = index == preferred
            return address
        }
    }

    private mutating func type() -> String? {
        let types: [String?] = [
            nil, "home", "work", "cell", "work fax", "x-odd", "boat phone", "HOME", "pref", "voice",
        ]
        return chance() ? types.randomElement(using: &random) ?? nil : "label " + line()
    }

    private mutating func members() -> [String] {
        ["urn:uuid:FCBA0FA3", "mailto:a@b.org", "ED7A5AEC:ABPerson", "plain"]
            .filter { _ in chance() }
    }

    private mutating func extra() -> [String] {
        [
            "X-PHONETIC-FIRST-NAME:Jon", "item1.X-ABRELATEDNAMES:Jenny",
            "item1.X-ABLabel:_$!<Spouse>!$_", "GEO:37.386013;-122.082932",
            "X-ODD;A=\"b;c:d\";E=f,g:value \\, with; all, of \\n it", "KIND:org",
            "IMPP;X-SERVICE-TYPE=Skype:skype:someone", "X-EMPTY:", "BDAY:circa 1800",
        ].filter { _ in chance() }
    }

    private mutating func distinct(_ make: (inout SampleCards) -> String) -> [String] {
        var texts: [String] = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let text = make(&self)
            if !texts.contains(text) { texts.append(text) }
        }
        return texts
    }

    private mutating func chance() -> Bool {
        Bool.random(using: &random)
    }
}
