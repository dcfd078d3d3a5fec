import Testing

@testable import Interchange

struct VCardLinesTests {
    /// Lines of a file and the expected result of joining them.
    struct Joining: CustomTestStringConvertible, Sendable {
        var what: String
        var lines: [String]
        var joined: [String]
        var folding = VCardLines.Folding.card

        var testDescription: String { what }
    }

    static let joinings = [
        Joining(what: "a fold by a space", lines: ["NOTE:a", " b", " c"], joined: ["NOTE:abc"]),
        Joining(what: "a fold by a tab", lines: ["NOTE:a", "\tb"], joined: ["NOTE:ab"]),
        Joining(what: "a fold before a blank", lines: ["NOTE:a", "  b"], joined: ["NOTE:a b"]),
        Joining(
            what: "a fold of 2.1 keeps its blank", lines: ["NOTE:a", " b"], joined: ["NOTE:a b"],
            folding: .oldCard),
        Joining(
            what: "a fold inside a parameter", lines: ["ADR;TY", " PE=home", " :;;x"],
            joined: ["ADR;TYPE=home:;;x"]),
        Joining(
            what: "blank lines between", lines: ["A:1", "", " \t", "B:2"], joined: ["A:1", "B:2"]),
        Joining(
            what: "a soft break", lines: ["N;ENCODING=QUOTED-PRINTABLE:a=0D=", "=0Ab", "T:1"],
            joined: ["N;ENCODING=QUOTED-PRINTABLE:a=0D=0Ab", "T:1"]),
        Joining(
            what: "a soft break with a bare parameter", lines: ["N;quoted-printable:a=", "b:c"],
            joined: ["N;quoted-printable:ab:c"]),
        Joining(
            what: "an indented soft break after an encoded octet",
            lines: ["L;QUOTED-PRINTABLE:Box=0D=0A=", " 123 Main=", "  Street"],
            joined: ["L;QUOTED-PRINTABLE:Box=0D=0A123 Main  Street"]),
        Joining(
            what: "a soft break before a blank between words",
            lines: ["L;QUOTED-PRINTABLE:operational=", " 0830 to 1715"],
            joined: ["L;QUOTED-PRINTABLE:operational 0830 to 1715"]),
        Joining(
            what: "a soft break at the end of the card",
            lines: ["URL;QUOTED-PRINTABLE:http://x/?a=", "END:VCARD"],
            joined: ["URL;QUOTED-PRINTABLE:http://x/?a=", "END:VCARD"]),
        Joining(
            what: "an equals sign without the encoding", lines: ["URL:http://x/?a=", "T:1"],
            joined: ["URL:http://x/?a=", "T:1"]),
        Joining(
            what: "base64 ended by a blank line",
            lines: ["PHOTO;BASE64:", "  AAAA", "  BB==", "", "T:1"],
            joined: ["PHOTO;BASE64:AAAABB==", "T:1"]),
        Joining(
            what: "base64 that is not indented, ended by a property",
            lines: ["PHOTO;ENCODING=BASE64;JPEG:AA", "BBBB", "CC==", "T:1"],
            joined: ["PHOTO;ENCODING=BASE64;JPEG:AABBBBCC==", "T:1"]),
        Joining(
            what: "base64 of 3.0, folded", lines: ["KEY;ENCODING=b:AA", " BB", "T:1"],
            joined: ["KEY;ENCODING=b:AABB", "T:1"]),
        Joining(
            what: "a text of letters after a property that is no base64", lines: ["T:1", "AAAA"],
            joined: ["T:1", "AAAA"]),
    ]

    @Test(arguments: joinings)
    func `Folded lines are joined`(joining: Joining) {
        var lines = VCardLines(Array(joining.lines.joined(separator: "\r\n").utf8))
        lines.folding = joining.folding
        var joined: [String] = []
        while let line = lines.next() {
            joined.append(String(decoding: line.bytes, as: UTF8.self))
        }
        #expect(joined == joining.joined)
    }

    @Test func `A joined line has the number of its first line`() {
        var lines = VCardLines(Array("A:1\n\nB:2\n 3\n 4\nC:5".utf8))
        var numbers: [Int] = []
        while let line = lines.next() { numbers.append(line.number) }
        #expect(numbers == [1, 3, 6])
    }

    @Test(
        arguments: [
            ("BEGIN:VCARD", true), ("begin:vCard", true), ("BEGIN:VCARD \t", true),
            ("BEGIN:VCALENDAR", false), ("X:BEGIN:VCARD", false), ("", false),
        ])
    func `The first line of a card is recognized in any case`(line: String, isBegin: Bool) {
        #expect(CardBoundary.isBegin(Array(line.utf8)[...]) == isBegin)
        #expect(!CardBoundary.isEnd(Array(line.utf8)[...]))
    }
}
