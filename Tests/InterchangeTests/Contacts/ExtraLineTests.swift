import Interchange
import Testing

struct ExtraLineTests {
    @Test(
        arguments: [
            (
                "X-Odd;Foo=\"a,b\";type=pref:value \\, kept", "3.0",
                "X-Odd;Foo=\"a,b\";type=pref:value \\, kept"
            ),
            ("Item1.X-ODD:1", "3.0", "Item1.X-ODD:1"),
            ("PHOTO;ENCODING=b;TYPE=JPEG:AA BB", "3.0", "PHOTO;ENCODING=b;TYPE=JPEG:AABB"),
            ("PHOTO;BASE64;JPEG:AABB", "2.1", "PHOTO;ENCODING=b;TYPE=JPEG:AABB"),
            ("SOUND;ENCODING=BASE64;TYPE=WAVE:AA", "2.1", "SOUND;ENCODING=b;TYPE=WAVE:AA"),
            (
                "item1.ROLE;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:=F6=0D=0Ab", "2.1",
                "item1.ROLE:ö\\nb"
            ),
            ("X-A;8BIT;X=\"a;b\":1", "2.1", "X-A;X=\"a;b\":1"),
            ("X-CONTROL:a\u{0}b\tc", "3.0", "X-CONTROL:ab c"),
        ])
    func `Unknown properties are kept in the syntax of 3_0`(
        line: String, version: String, kept: String
    ) {
        #expect(VCardReader.read(card(line, version: version)).cards.map(\.extra) == [[kept]])
    }

    /// The unfolded lines of a written card that come from `extra`.
    private func written(_ extra: String, _ version: VCardWriter.Version) -> [String] {
        var card = ContactCard(formattedName: "Ann")
        card.extra = [extra]
        return VCardWriter.write([card], version: version).replacing("\r\n ", with: "")
            .split(separator: "\r\n").map(String.init)
            .filter { !["BEGIN", "END:V", "VERSI", "FN:An", "N:;;;"].contains($0.prefix(5)) }
    }

    @Test(
        arguments: [
            ("PHOTO;ENCODING=b;TYPE=PNG:AA", "PHOTO:data:image/png;base64,AA"),
            ("PHOTO;ENCODING=b:iVBORw", "PHOTO:data:image/png;base64,iVBORw"),
            ("PHOTO;ENCODING=b:R0lGAA", "PHOTO:data:image/gif;base64,R0lGAA"),
            ("PHOTO;ENCODING=b:/9j/", "PHOTO:data:image/jpeg;base64,/9j/"),
            (
                "item1.KEY;X-A=b;TYPE=X509;ENCODING=b:AA",
                "item1.KEY;X-A=b:data:application/pkix-cert;base64,AA"
            ),
            ("KEY;ENCODING=b:AA", "KEY:data:application/octet-stream;base64,AA"),
            ("SOUND;ENCODING=b:AA", "SOUND:data:audio/basic;base64,AA"),
            ("PHOTO:https://x/y", "PHOTO:https://x/y"),
            ("X-ODD;ENCODING=b:AA", "X-ODD;ENCODING=b:AA"),
        ])
    func `Pictures are written as URIs in 4_0`(extra: String, line: String) {
        #expect(written(extra, .v4) == [line])
    }

    @Test(
        arguments: [
            ("PHOTO:data:image/png;base64,AA", "PHOTO;ENCODING=b;TYPE=PNG:AA"),
            ("PHOTO:DATA:image/png\\;base64\\,AA", "PHOTO;ENCODING=b;TYPE=PNG:AA"),
            ("KEY;MEDIATYPE=x:data:application/pgp-keys;base64,AA", "KEY;ENCODING=b;TYPE=PGP:AA"),
            ("PHOTO:data:;base64,AA", "PHOTO;ENCODING=b:AA"),
            ("PHOTO:data:image/svg,x", "PHOTO:data:image/svg,x"),
            ("PHOTO:https://x/y", "PHOTO;VALUE=uri:https://x/y"),
            ("PHOTO;VALUE=uri:https://x/y", "PHOTO;VALUE=uri:https://x/y"),
        ])
    func `Pictures are written as base64 in 3_0`(extra: String, line: String) {
        #expect(written(extra, .v3) == [line])
    }

    @Test(
        arguments: ["BEGIN:VCARD", "x.end:VCARD", "VERSION:2.1", "no property", "", "A B:c"])
    func `An extra line that is not a property of a card is not written`(extra: String) {
        #expect(written(extra, .v3) == [])
    }

    @Test func `A line break in an extra line does not make two lines`() {
        #expect(written("X-A:1\r\nEND:VCARD", .v3) == ["X-A:1 END:VCARD"])
    }

    /// A card with some lines of a name each, and a picture.
    private func pictured(lines: Int, picture: Character) -> ContactCard {
        var card = ContactCard(formattedName: "Ann")
        card.extra = (0..<lines).map { "X-\($0):1" }
        let octets = String(repeating: picture, count: 2 * ContactCard.extraOctetsMax)
        card.extra.append("PHOTO;ENCODING=b;TYPE=JPEG:\(octets)")
        return card
    }

    @Test(arguments: [(5, 7), (150, 151), (3000, 3001)])
    func `A picture is replaced on a card that has room for no more lines`(
        lines: Int, count: Int
    ) {
        var card = pictured(lines: lines, picture: "A")
        var newer = pictured(lines: 0, picture: "B")
        newer.extra.append("X-NEW:2")
        card.takeExtra(of: newer)
        #expect(card.extra.filter { $0.hasPrefix("PHOTO") } == Array(newer.extra.prefix(1)))
        #expect(card.extra.count == count)
    }

    @Test func `The last of several large values of a property stays`() {
        var card = pictured(lines: 1, picture: "A")
        let newer = ["B", "C"].map { pictured(lines: 0, picture: $0).extra[0] }
        var other = ContactCard(formattedName: "Ann")
        other.extra = newer
        card.takeExtra(of: other)
        #expect(card.extra == ["X-0:1", newer[1]])
    }
}
