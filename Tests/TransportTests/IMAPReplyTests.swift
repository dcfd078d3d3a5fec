import TestKit
import Testing

@testable import Transport

@Suite struct IMAPReplyTests {
    private static func replies(
        _ text: String, partBytes: Int, octetsMax: Int = 1000
    ) throws -> [IMAPReply] {
        var replies = IMAPReplies(octetsMax: octetsMax)
        var found: [IMAPReply] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            replies.take(rest.prefix(partBytes))
            rest = rest.dropFirst(partBytes)
            while let reply = try replies.next() { found.append(reply) }
        }
        return found
    }

    @Test func `A reply has no long runs of combining marks`() throws {
        let marks = String(repeating: "\u{301}\u{323}", count: 50_000)
        let found = try Self.replies(
            "* OK [a\(marks)] x\r\n", partBytes: 1000, octetsMax: 1_000_000)
        #expect(found.first?.text.unicodeScalars.count == 110)
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `Replies are parsed whatever the size of the pieces`(partBytes: Int) throws {
        let text =
            "* OK [UIDVALIDITY 12] valid\r\n* 3 FETCH (UID 44 BODY[] {11}\r\n* 1 {3}\r\nab"
            + " FLAGS (\\Seen))\r\n* SEARCH 4 7\r\nm1 OK done\r\n"
        let found = try Self.replies(text, partBytes: partBytes)
        #expect(found.count == 4)
        #expect(found[0].number(behind: "UIDVALIDITY") == 12)
        #expect(found[1].literals == [Array("* 1 {3}\r\nab".utf8)])
        #expect(found[1].isFetched && found[1].number(behind: "UID") == 44)
        #expect(found[2].found == [4, 7])
        #expect(found[3].ends("m1") && found[3].isGood && found[3].explanation == "done")
    }

    @Test(
        arguments: [
            ("* SEARCH 2 3  6 ", [2, 3, 6]), ("* search 2 5 (MODSEQ 917162500)", [2, 5]),
            ("* SEARCH 7 x -1 8", [7, 8]), ("* SEARCHED 7", nil), ("* 7 SEARCH", nil),
        ] as [(String, [Int64]?)])
    func `The numbers in the reply to a search are words of digits`(
        text: String, numbers: [Int64]?
    ) {
        #expect(IMAPReply(text: text, literals: []).found == numbers)
    }

    @Test(arguments: [
        "* 1 FETCH (BODY[] {1001}\r\n", "* 1 FETCH (BODY[] {9999999999}\r\n",
        String(repeating: "x", count: 1001),
        "* {600}\r\n" + String(repeating: "x", count: 600) + "{600}\r\n",
    ])
    func `A reply over the size limit is refused`(text: String) {
        #expect(throws: TransportError.tooLarge(bytesMax: 1000)) {
            try Self.replies(text, partBytes: 100)
        }
    }

    @Test(arguments: [
        "* SEARCH 9223372036854775807 -1 4294967296\r\n", "{}\r\n", "{x}\r\n", "{-1}\r\n",
        "{99999999999}\r\n", "}\r\n", "\r\n", "* SEARCH\r\n",
        "* \r\n", "*\r\n", "m1\r\n",
    ])
    func `Text that only looks like a literal is text`(text: String) throws {
        let found = try Self.replies(text, partBytes: 1)
        #expect(found.count == 1 && found[0].literals.isEmpty)
        #expect(!found[0].isFetched && !found[0].isGood && found[0].found ?? [] == [])
    }

    @Test(arguments: [
        ("INBOX", "\"INBOX\""), ("a \"b\" \\c", "\"a \\\"b\\\" \\\\c\""), ("R&D", "\"R&-D\""),
        // RFC 3501, 5.1.3.
        ("~peter/mail/台北/日本語", "\"~peter/mail/&U,BTFw-/&ZeVnLIqe-\""),
        ("Entwürfe", "\"Entw&APw-rfe\""), ("a\r\nb", "\"a&AA0ACg-b\""),
    ])
    func `A folder name is quoted so that nothing in it is a command`(name: String, shown: String) {
        #expect(IMAPText.folder(name) == shown)
    }
}
