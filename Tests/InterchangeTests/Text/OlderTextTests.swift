import TestKit
import Testing

@testable import Interchange

/// Tables in encodings of older systems, which state none.
struct OlderTextTests {
    /// The first name and the warnings of a table with one row.
    private func reading(_ name: [UInt8], ending: String = "\n") -> (String?, [String]) {
        let bytes =
            Array("Name,Email\(ending)".utf8) + name + Array(",j@x.org\(ending)".utf8)
        let found = ContactFile.read(bytes, name: "contacts.csv")
        return (found.cards.first?.formattedName, found.warnings.map(\.message))
    }

    /// A name with bytes for the letters beyond ASCII.
    private func name(_ parts: String..., by bytes: [UInt8]) -> [UInt8] {
        zip(parts, bytes.map { [$0] } + [[]]).flatMap { Array($0.utf8) + $1 }
    }

    @Test func `A table in Mac Roman is read, and that is said`() {
        let warning = "the text is not UTF-8; it was read in the encoding Mac Roman"
        let german = reading(name("J", "rgen Gro", "mann", by: [0x9F, 0xA7]), ending: "\r")
        #expect(german.0 == "Jürgen Großmann")
        #expect(german.1 == [warning])
        #expect(reading(name("Ren", " Lef", "vre", by: [0x8E, 0x8F])).0 == "René Lefèvre")
        #expect(reading(name("", "sa Fran", "oise", by: [0x81, 0x8D])).0 == "Åsa Françoise")
    }

    @Test func `A table in the code page of DOS needs no special letter`() {
        let found = reading(name("H", "l", "ne Gr", "f", by: [0x82, 0x8A, 0x84]))
        #expect(found.0 == "Hélène Gräf")
        #expect(found.1 == ["the text is not UTF-8; it was read in the encoding code page 850"])
    }

    @Test func `A table of Central Europe is read, and that is said`() {
        let found = reading(name("Wo", "niak ", "", "", "", by: [0x9F, 0xAF, 0xF3, 0xB3, 0xE6]))
        #expect(found.0 == "Woźniak Żółć")
        #expect(found.1 == ["the text is not UTF-8; it was read in the encoding Windows-1250"])
    }

    @Test(arguments: [
        ("Jürgen Großmann", [0xFC, 0xDF] as [UInt8]), ("Aleš Žižek", [0x9A, 0x8E, 0x9E]),
        ("Cœur d’Arc", [0x9C, 0x92]), ("ÉLODIE FRANÇOIS", [0xC9, 0xC7]), ("Bo… €", [0x85, 0x80]),
        ("“Mª” Nº 5", [0x93, 0xAA, 0x94, 0xBA]),
    ])
    func `A table in Windows-1252 stays one`(text: String, letters: [UInt8]) {
        var left = letters[...]
        let bytes = text.unicodeScalars.flatMap { scalar in
            scalar.isASCII ? [UInt8(scalar.value)] : Array(left.popFirst().map { [$0] } ?? [])
        }
        let found = reading(bytes)
        #expect(found.0 == text)
        #expect(found.1 == ["the text is not UTF-8; it was read as Windows-1252"])
    }

    @Test func `Where two encodings fit, the line ends of older Macs decide`() {
        let bytes = name("Bj", "rn", by: [0x9A])
        #expect(reading(bytes, ending: "\r").0 == "Björn")
        #expect(reading(bytes, ending: "\r\n").0 == "Bjšrn")
    }
}
