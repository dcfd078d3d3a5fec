import Secrets
import Testing

@testable import Web

/// QR codes. The hashes are those of the same codes as libqrencode 4.1.1 makes them.
@Suite struct QRCodeTests {
    @Test(arguments: [
        ("a", 4, "d9d89d2c67d9dfc5"),
        ("https://meet.example.org/g/abcdefghijkmnpqrstuvwxyz23", 6, "80269646a0d98285"),
        (
            "webcal://meet.example.org/cal/\(String(repeating: "k", count: 40)).ics", 1,
            "f32550458f023abb"
        ),
        (String(repeating: "x", count: 150), 2, "2afb617fc188800a"),
        (String(repeating: "y", count: 400), 2, "169a6abbaf1a7f30"),
        (String(repeating: "é", count: 60), 2, "5e1bff2236f23fbf"),
        (String(repeating: "z", count: 660), 0, "4b95a1ee345a7251"),
    ])
    func `A code has the modules that other programs give it`(
        text: String, mask: Int, hash: String
    ) throws {
        let content = try #require(QRContent(Array(text.utf8)))
        let code = QRFrame(version: content.version).filled(with: content.codewords, mask: mask)
        let rows = (0..<code.size).map { row in
            (0..<code.size).map { code[row, $0] ? "1" : "0" }.joined() + "\n"
        }
        let found = Hexadecimal.text(SHA256.hash(Array(rows.joined().utf8)))
        #expect(found.prefix(16) == hash)
    }

    @Test func `The mask with the fewest points is chosen`() throws {
        let text = "https://meet.example.org/g/abc"
        let content = try #require(QRContent(Array(text.utf8)))
        let frame = QRFrame(version: content.version)
        let points = (0..<8).map { frame.filled(with: content.codewords, mask: $0).penalty }
        #expect(try #require(QRCode(text)).penalty == points.min())
    }

    @Test(arguments: [(0, 21), (14, 21), (15, 25), (213, 57), (666, 97)])
    func `The smallest version that holds a text is taken`(length: Int, size: Int) throws {
        #expect(try #require(QRCode(String(repeating: "a", count: length))).size == size)
    }

    @Test func `A text that is too long has no code`() {
        #expect(QRCode(String(repeating: "a", count: 667)) == nil)
    }

    @Test func `The drawing has a label, a quiet zone and no style`() throws {
        let svg = try #require(QRCode("a")).svg(label: "\"><script>")
        #expect(svg.contains("aria-label=\"&quot;&gt;&lt;script&gt;\""))
        #expect(svg.contains("viewBox=\"0 0 29 29\"") && svg.contains("M4 4h7v1h-7z"))
        #expect(!svg.contains("style=") && !svg.contains("fill="))
    }
}
