import Testing

@testable import Interchange

@Suite struct ContactLanguageTests {
    private static func card(_ lines: String...) throws -> ContactCard {
        let text = (["BEGIN:VCARD", "VERSION:4.0", "FN:Anna"] + lines + ["END:VCARD", ""])
            .joined(separator: "\r\n")
        return try #require(VCardReader.read(Array(text.utf8)).cards.first)
    }

    @Test func `The languages of a card are listed with the preferred one first`() throws {
        #expect(try Self.card("LANG:de-AT").language == "de-AT")
        #expect(try Self.card("LANG: de_DE ").language == "de-DE")
        #expect(
            try Self.card("LANG;PREF=2:de", "LANG;PREF=\"1\":fr", "LANG:en").languages
                == ["fr", "de", "en"])
        #expect(try Self.card("LANG:", "LANG:x", "LANG:de;DROP").language == nil)
        #expect(try Self.card().language == nil)
    }

    @Test func `Another language replaces the list, and the same one keeps it`() throws {
        var card = try Self.card("LANG;PREF=1:fr", "LANG;PREF=2:de")
        let before = card.extra
        card.language = "fr"
        #expect(card.extra == before)
        card.language = "de"
        #expect(card.extra == ["LANG:de"])
        let written = String(
            decoding: Array(VCardWriter.write([card], version: .v4).utf8), as: UTF8.self)
        #expect(written.contains("\r\nLANG:de\r\n"))
        card.language = nil
        #expect(card.extra.isEmpty)
    }
}
