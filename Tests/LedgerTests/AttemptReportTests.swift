import Ledger
import Testing

/// Replies of receivers are stored in a readable form.
struct AttemptReportTests {
    @Test(arguments: [
        ("", ""), ("550 no such user", "550 no such user"), ("two\nlines", "two\nlines"),
        ("\u{0}", ""), ("\r\n \u{7}", ""), ("a\u{0}b\tc\u{7F}", "a b c "), ("\u{1B}[2Jé", "[2Jé"),
    ])
    func `Control characters are removed from a reply`(_ said: String, _ kept: String) {
        let report = AttemptReport(.permanent, code: said, reply: said)
        #expect(report.reply == kept)
        #expect(report.code == kept)
    }

    @Test func `A very long answer is cut`() {
        let endless = String(repeating: "x", count: 5000)
        let report = AttemptReport(.retry, code: endless, reply: endless)
        #expect(report.reply.utf8.count == AttemptReport.replyBytesMax)
        #expect(report.code.utf8.count == AttemptReport.codeBytesMax)
    }
}
