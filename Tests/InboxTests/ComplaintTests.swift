import Agenda
import Inbox
import Ledger
import Planning
import Storage
import TestKit
import Testing

/// Reports of mail providers about mails that arrived.
@Suite(.timeLimit(.minutes(5))) struct ComplaintTests {
    private let bounces = BounceReceivingTests()

    /// A report of one type that returns a mail with a header.
    private func report(_ type: String, of header: String) -> [UInt8] {
        Array(
            """
            From: complaints@provider.example
            Subject: FW: Invitation
            Content-Type: multipart/report; report-type=feedback-report; boundary=B

            --B
            Content-Type: text/plain

            This is an email abuse report.
            --B
            Content-Type: message/feedback-report

            Feedback-Type: \(type)
            User-Agent: Some/1.0
            Version: 1

            --B
            Content-Type: message/rfc822

            \(header)
            Subject: Invitation

            Come
            --B--
            """.utf8)
    }

    private func header(of site: BounceReceivingTests.Site) async throws -> String {
        let row: DeliveryView = try await site.row(to: BounceReceivingTests.anna)
        return "Message-ID: <\(row.identity)>"
    }

    @Test func `After a complaint the address gets no mail until the owner allows it`()
        async throws
    {
        try await bounces.withInvitations { site in
            let header: String = try await header(of: site)
            let mail = report("abuse", of: header)
            let receipt = try await site.planner.receiveMail(mail)
            #expect(receipt.outcome == .complained)
            #expect(receipt.person == BounceReceivingTests.anna)
            let stopped: Suppression = try #require(try await site.suppressions().first)
            #expect(stopped.origin == .unsubscribed && stopped.until == nil)
            #expect(stopped.channel == "mail")
            #expect(stopped.reason == "the reader reported a mail as unwanted")
            // The mail itself arrived.
            let row: DeliveryView = try await site.row(to: BounceReceivingTests.anna)
            #expect(row.state == .accepted)
            let sent: [String] = try await site.move()
            #expect(!sent.contains { $0.contains(BounceReceivingTests.anna) })
            let unreached: String? = try await site.unreached()
            #expect(unreached?.contains(stopped.reason) == true)
            _ = try await site.planner.unsuppress(
                BounceReceivingTests.anna, channel: nil, saving: true)
            #expect(try await site.suppressions() == [])
        }
    }

    @Test(arguments: [("not-spam", "wanted"), ("auth-failure", "authenticated")])
    func `A report that is no complaint stops nothing, and is listed with its reason`(
        _ type: String, _ word: String
    ) async throws {
        try await bounces.withInvitations { site in
            let header: String = try await header(of: site)
            let receipt = try await site.planner.receiveMail(report(type, of: header))
            #expect(receipt.outcome == .ignored && receipt.reason.contains(word))
            #expect(receipt.help == nil)
            #expect(try await site.suppressions() == [])
            let rows: [IgnoredMailView] = try await site.planner.ignoredMails().rows
            #expect(rows.map(\.isAnswer) == [false])
        }
    }

    @Test(arguments: [true, false])
    func `A complaint in the form of Outlook.com counts, and an attached mail alone does not`(
        _ isMarked: Bool
    ) async throws {
        try await bounces.withInvitations { site in
            let header: String = try await header(of: site)
            let mark = isMarked ? "X-HmXmrOriginalRecipient: anna@guest.example\n" : ""
            let mail = """
                From: staff@provider.example
                Subject: complaint about message from 192.0.2.1
                Content-Type: multipart/mixed; boundary=B

                --B
                Content-Type: message/rfc822

                \(mark)\(header)
                Subject: Invitation

                Come
                --B--
                """
            let receipt = try await site.planner.receiveMail(Array(mail.utf8))
            #expect(receipt.outcome == (isMarked ? .complained : .ignored), "\(receipt.reason)")
            let stopped: [Suppression] = try await site.suppressions()
            #expect(stopped.map(\.origin) == (isMarked ? [.unsubscribed] : []))
        }
    }

    @Test func `A complaint about a mail of another system stops nothing`() async throws {
        try await bounces.withInvitations { site in
            let mail = report("abuse", of: "Message-ID: <x@example.com>")
            let receipt = try await site.planner.receiveMail(mail)
            #expect(receipt.outcome == .ignored && receipt.reason.contains("not sent from here"))
            #expect(try await site.suppressions() == [])
        }
    }

    @Test func `A complaint of a reader of a mailing list does not stop the list`() async throws {
        try await bounces.withInvitations { site in
            let row: DeliveryView = try await site.row(to: "club@lists.example")
            let mail = report("abuse", of: "Message-ID: <\(row.identity)>")
            #expect(try await site.planner.receiveMail(mail).outcome == .ignored)
            #expect(try await site.suppressions() == [])
            let rows: [IgnoredMailView] = try await site.planner.ignoredMails().rows
            #expect(rows.map(\.isReport) == [true])
        }
    }

    @Test func `A DMARC report is no answer`() async throws {
        try await bounces.withInvitations { site in
            let mail = """
                From: noreply-dmarc@provider.example
                Subject: Report Domain: example.org Submitter: provider.example Report-ID: 1
                Content-Type: application/gzip; name="provider.example!example.org!1!2.xml.gz"
                Content-Transfer-Encoding: base64

                H4sIAAAAAAAA
                """
            let receipt = try await site.planner.receiveMail(Array(mail.utf8))
            #expect(receipt.outcome == .ignored && receipt.reason.contains("authenticated"))
        }
    }
}
