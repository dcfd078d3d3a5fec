import Interchange
import Testing

/// Dates of birth as people and programs write them in tables.
struct WrittenDatesTests {
    private func reading(_ dates: String...) throws -> CardReading {
        let rows = dates.map { "Anna,\"\($0)\"\n" }.joined()
        return try ContactCSVReader.read(Array("Name,Birthday\n\(rows)".utf8))
    }

    @Test(arguments: [
        "31.12.1980", "1980/12/31", "1980.12.31", "1980. 12. 31.", "31-Dec-80", "31-12-1980",
        "12/31/80", "December 31, 1980", "Dec 31 1980", "31st December 1980", "31. Dezember 1980",
        "31 décembre 1980", "31 de diciembre de 1980", "31 grudnia 1980", "31 декабря 1980 г.",
        "Wednesday, December 31, 1980", "1980年12月31日", "19801231", "1980-Dec-31", "31.12.80",
    ])
    func `A date that can mean one day only is read`(text: String) throws {
        let found = try reading(text)
        #expect(found.cards.map(\.birthday) == ["1980-12-31"])
        #expect(found.warnings == [])
    }

    @Test(arguments: ["--12-31", "12-31", "31.12.", "31.12", "12/31", "31 Dec", "12月31日"])
    func `A date without a year is read`(text: String) throws {
        #expect(try reading(text).cards.map(\.birthday) == ["--12-31"])
    }

    @Test func `A year of two digits that may be of either century is left out, with a warning`()
        throws
    {
        let found = try reading("31.12.05")
        #expect(found.cards.map(\.birthday) == ["--12-31"])
        #expect(
            found.warnings.map(\.message) == [
                "\"31.12.05\" has a year of two digits, so only its day and month are used"
            ])
    }

    @Test(arguments: ["03/04/1980", "03-04-1980", "3-4-80", "03/04"])
    func `An ambiguous date is read if another row of the table tells the order`(
        text: String
    ) throws {
        #expect(try reading(text).cards.map(\.birthday) == [nil])
        let year = text.count > 5 ? "1980-" : "--"
        let known = try reading(text, "25/04/1980").cards.first?.birthday
        #expect(known == "\(year)04-03")
        let american = try reading(text, "04/25/1980").cards.first?.birthday
        #expect(american == "\(year)03-04")
    }

    @Test(arguments: ["29586", "December 1980", "soon", "31 Foo 1980", "around 31 Dec 1980"])
    func `A text that is no certain date is not read, with a warning`(text: String) throws {
        let found = try reading(text)
        #expect(found.cards.map(\.birthday) == [nil])
        #expect(found.warnings.map(\.message) == ["\"\(text)\" is not a valid date"])
    }

    @Test func `A card has its birthday in any of these forms`() {
        let text = "BEGIN:VCARD\nVERSION:3.0\nFN:Anna\nBDAY:31.12.1980\nEND:VCARD\n"
        #expect(VCardReader.read(Array(text.utf8)).cards.map(\.birthday) == ["1980-12-31"])
    }
}
