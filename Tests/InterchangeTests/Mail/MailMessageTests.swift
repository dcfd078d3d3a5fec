import Foundation
import Testing

@testable import Interchange

/// The format rules of a mail, which hold for any text in it. `make judge` also reads such mails
/// with Python's email package.
@Suite struct MailMessageTests {
    /// Texts that try to break the format.
    static let hostile = [
        "", " ", "a", "Lunch", "\r\nBcc: x@example.org\r\n\r\nhi", "a\nb", "a\0b", "a\u{85}b",
        "=?utf-8?q?x?=", "=?", "a =?b", "\"", "\\", "a\"b\\c", "<b>", "Berg, Ben", "a (b) c",
        "Ääkkönen", "例え", "🎲 Board games 👩‍👩‍👧‍👦", "\u{202E}dlrow", "\u{200F}", "{{title}}", " lead",
        "trail ", "two  blanks", "\u{2028}x", "tab\there", ".", "..", "From me", "-- ", "--=_x",
        String(repeating: "x", count: 10_000), String(repeating: "ä", count: 10_000),
        String(repeating: "word ", count: 2000), String(repeating: "👩‍👩‍👧‍👦", count: 400),
        String(repeating: ".\r\n", count: 10),
    ]

    private static func message(_ text: String) throws -> MailMessage {
        var message = MailMessage(
            from: try Mailbox("letsmeet@example.org", name: text),
            to: try Mailbox("anna@example.org", name: text), subject: text,
            date: "Tue, 12 Jan 2027 19:00:00 +0200", messageID: "abc123@example.org",
            body: .mixed([
                .alternative([
                    .text(text, subtype: "plain"), .text(text, subtype: "html"),
                    .calendar(Base64Lines(Array(text.utf8)), method: "REQUEST"),
                ]),
                .attachment(
                    Base64Lines(Array(text.utf8)), type: "application/ics", file: "invite.ics"),
            ]))
        message.references = ["first@example.org", "second@example.org"]
        message.unsubscribe = "https://example.org/u/x"
        message.isUnsubscribedByOneClick = true
        return message
    }

    @Test func `Every control character and line break in a header becomes a space`() {
        let controls = (Array(0..<0x20) + Array(0x7F..<0xA0) + [0x2028, 0x2029]).compactMap {
            Unicode.Scalar($0 as UInt32)
        }
        for scalar in controls {
            #expect(MailHeader.oneLine("a\(scalar)b") == "a b", "\(scalar.value)")
        }
        #expect(MailHeader.oneLine("a\r\nb ~\u{A0}") == "a  b ~\u{A0}")
    }

    @Test(arguments: hostile)
    func `Lines end with CRLF, are short and ASCII, and no text adds a header`(
        text: String
    ) throws {
        let octets = try Self.message(text).octets
        let mail = try #require(String(bytes: octets, encoding: .ascii))
        let lines = mail.components(separatedBy: "\r\n")
        #expect(lines.last?.isEmpty == true)
        for line in lines {
            #expect(line.utf8.count <= 78, "\(line)")
            #expect(!line.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F })
        }
        let head = lines.prefix { !$0.isEmpty }
        let names = head.filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
        #expect(
            names == [
                "Date", "From", "To", "Subject", "Message-ID", "X-Letsmeet-Delivery", "In-Reply-To",
                "References",
                "Auto-Submitted", "X-Auto-Response-Suppress", "List-Unsubscribe",
                "List-Unsubscribe-Post", "MIME-Version", "Content-Type",
            ])
        #expect(lines.count { $0 == "--=_0_abc123--" } == 1)
        #expect(lines.count { $0 == "--=_0.0_abc123--" } == 1)
    }

    @Test(arguments: hostile)
    func `Encoded words contain only whole characters and only the text`(text: String) throws {
        let words = EncodedWord.words(text)
        var octets: [UInt8] = []
        for word in words {
            #expect(word.utf8.count <= 75)
            let parts = word.split(separator: "?", omittingEmptySubsequences: false)
            #expect(parts.count == 5)
            let payload: [UInt8] =
                parts[2] == "b"
                ? Array(try #require(Data(base64Encoded: String(parts[3]))))
                : Array(parts[3].replacing("_", with: " ").utf8)[...]
                    .decodingOctets(behind: .equals)
            #expect(String(validating: payload, as: UTF8.self) != nil)
            octets += payload
        }
        #expect(String(decoding: octets, as: UTF8.self) == text)
    }

    @Test(arguments: [
        ("Anna", "Anna <anna@example.org>"), ("", "anna@example.org"),
        ("Anna Maria Berg", "Anna Maria Berg <anna@example.org>"),
        ("Berg, Anna", "\"Berg, Anna\" <anna@example.org>"),
        ("A \"B\" C\\D", "\"A \\\"B\\\" C\\\\D\" <anna@example.org>"),
        ("Ännä", "=?utf-8?b?w4RubsOk?= <anna@example.org>"),
        (
            "Anna Äijälä-Virtanen",
            "=?utf-8?q?Anna_=C3=84ij=C3=A4l=C3=A4-Virtanen?= <anna@example.org>"
        ),
    ])
    func `A name is written in the plainest possible form`(name: String, shown: String) throws {
        var output: [UInt8] = []
        MailHeader("To", [try Mailbox("anna@example.org", name: name)]).append(to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "To: \(shown)\r\n")
    }

    @Test(arguments: [
        ("a b", "a b\r\n"), ("a \n b ", "a=20\r\n b=20\r\n"), ("a=b", "a=3Db\r\n"),
        ("ä", "=C3=A4\r\n"), ("a\r\n\r\nb\r\n", "a\r\n\r\nb\r\n"), ("\u{7}", "=EF=BF=BD\r\n"),
        (
            String(repeating: "x", count: 80),
            String(repeating: "x", count: 75) + "=\r\n" + "xxxxx\r\n"
        ),
    ])
    func `Quoted-printable follows the rules and splits no character`(text: String, shown: String) {
        var output: [UInt8] = []
        QuotedPrintable.append(text, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == shown)
    }

    @Test func `A long list of recipients is folded between them`() throws {
        var output: [UInt8] = []
        let mailboxes = try (0..<20).map { try Mailbox("guest\($0)@example.org", name: "Guest") }
        MailHeader("To", mailboxes).append(to: &output)
        let lines = String(decoding: output, as: UTF8.self).components(separatedBy: "\r\n")
        #expect(lines.count > 5)
        #expect(lines.allSatisfy { $0.utf8.count <= 78 })
        #expect(lines.joined().contains("<guest3@example.org>, Guest <guest4@example.org>,"))
    }
}
