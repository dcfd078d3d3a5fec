import Testing

@testable import Interchange

/// Reports of other systems about mails that they could not deliver.
struct BounceReportTests {
    private static let name = "abcdefghijkmnpqrstuvwxyz23"

    /// A report of a mail whose only trace is given.
    private func report(
        _ status: String, type: String = "message/delivery-status", headers: String = "",
        text: String = "It failed.",
        returned: String = "Content-Type: text/rfc822-headers\n\nMessage-ID: <\(name)@letsmeet>"
    ) -> BounceReport? {
        BounceReport(
            ReceivedMail(
                Array(
                    """
                    From: MAILER-DAEMON@mx.example
                    \(headers)Content-Type: multipart/report; boundary=B

                    --B
                    Content-Type: text/plain

                    \(text)
                    --B
                    Content-Type: \(type)

                    \(status)
                    --B
                    \(returned)
                    --B--
                    """.utf8)))
    }

    private static let failure = """
        Reporting-MTA: dns; mx.example

        Final-Recipient: rfc822; anna@example.org
        Action: failed
        Status: 5.1.1
        """

    @Test func `Groups without a blank line between them are told apart`() {
        let found = report(
            """
            Reporting-MTA: dns; mx.example
            Final-Recipient: rfc822; anna@example.org
            Action: failed
            Status: 5.1.1
            Final-Recipient: rfc822; ben@example.org
            Action: delayed
            Status: 4.4.1
            """)
        #expect(found?.receivers.map(\.addresses) == [["anna@example.org"], ["ben@example.org"]])
        #expect(found?.receivers.map(\.action) == ["failed", "delayed"])
        #expect(found?.receivers.map(\.status) == ["5.1.1", "4.4.1"])
    }

    @Test func `Remarks behind an address or an action are left out`() {
        let found = report(
            """
            Final-Recipient: rfc822; <anna@example.org> (Anna)
            Action: Failed (permanent failure)
            Status: 5.1.1 (no such user)
            """)
        #expect(found?.receivers.map(\.addresses) == [["anna@example.org"]])
        #expect(found?.receivers.map(\.isFinal) == [true])
        #expect(found?.receivers.map(\.status) == ["5.1.1"])
    }

    @Test(arguments: ["x400; /O=ACME/CN=ANNA/", "local; anna", "rfc822; anna"])
    func `A name inside a system is no address to which the mail was passed on`(_ name: String) {
        let found = report(
            "Original-Recipient: rfc822; anna@example.org\nFinal-Recipient: \(name)\n"
                + "Action: failed\nStatus: 5.1.1")
        #expect(found?.receivers.map(\.finalAddresses) == [nil])
        #expect(found?.receivers.first?.addresses.last == "anna@example.org")
    }

    /// Parsing the block again for each of its groups would take hours.
    @Test func `A block of many recipients is parsed once`() {
        let group = "Final-Recipient: rfc822; anna@example.org\nAction: failed\nStatus: 5.1.1\n"
        let block = String(repeating: group, count: 300)
        let octets = Array(Array(repeating: block, count: 100).joined(separator: "\n").utf8)
        var parsed = 0
        let status = DeliveryStatus(octets) { block in
            parsed += 1
            return MailEntity(block).fields
        }
        #expect(status.receivers.count == 1000)
        #expect(parsed == 100)
    }

    @Test(arguments: [
        ("utf-8; jörg@example.org", "message/global-delivery-status"),
        ("utf-8; j\\x{F6}rg@example.org", "message/delivery-status"),
    ])
    func `Addresses beyond ASCII are read`(recipient: String, type: String) {
        let found = report(
            "Final-Recipient: \(recipient)\nAction: failed\nStatus: 5.1.1", type: type)
        #expect(found?.receivers.map(\.addresses) == [["jörg@example.org"]])
    }

    @Test func `A delivered mail is no failure and no delay`() {
        let found = report(
            "Final-Recipient: rfc822; anna@example.org\nAction: delivered\nStatus: 2.0.0")
        #expect(found?.receivers.map(\.action) == ["delivered"])
        #expect(found?.receivers.map(\.isFinal) == [false])
    }

    @Test(arguments: [
        ("Status: Delivery error\nDiagnostic-Code: SMTP; 550 5.1.1 User unknown", "", "5.1.1"),
        ("Status: Delivery error\nDiagnostic-Code: SMTP; 550 go away", "", ""),
        ("Status: 5.0.0", "Hi!\n\nanna@example.org: 550 Invalid recipient", "5.1.1"),
        ("Status: 5.0.0", "Hi!\n\nanna@example.org: 554 Not tonight", "5.0.0"),
    ])
    func `A general failure is explained by the diagnostic code or the text`(
        fields: String, text: String, status: String
    ) {
        let found = report(
            "Final-Recipient: rfc822; anna@example.org\nAction: failed\n\(fields)", text: text)
        #expect(found?.receivers.map(\.status) == [status])
        let told = fields.contains("Diagnostic") ? fields : text
        #expect(
            found?.receivers.allSatisfy { told.hasSuffix($0.words) && !$0.words.isEmpty } == true)
    }

    @Test(
        arguments: [
            ("", "(expanded from: <anna@example.org>)", []),
            (
                "\nX-Actual-Recipient: rfc822; old@elsewhere.example",
                "(expanded from: <anna@example.org>)", ["old@elsewhere.example"]
            ),
            ("\nX-Actual-Recipient: rfc822; anna@mx.example.org", "", ["anna@example.org"]),
        ] as [(String, String, [String])])
    func `A final recipient that passed the mail on, by the text of the report, has not failed`(
        fields: String, text: String, failed: [String]
    ) {
        let found = report(Self.failure + fields, text: "<x@y.example>\n\(text)")
        #expect(found?.receivers.map(\.finalAddresses) == [failed])
    }

    /// Each trace leads to the mail on its own.
    @Test(arguments: [
        ("In-Reply-To: <\(name)@letsmeet>\n", ""),
        ("References: <other@example.org> <\(name)@letsmeet>\n", ""),
        ("X-Original-Message-ID: <\(name)@letsmeet>\n", ""),
        ("", "Content-Type: text/rfc822-headers\n\nX-Letsmeet-Delivery: \(name)@letsmeet"),
        (
            "",
            "Content-Type: message/rfc822\n\nMessage-ID: <new@relay>\n"
                + "X-Letsmeet-Delivery: \(name)@letsmeet\n\nHello"
        ),
        ("", "Content-Type: message/global-headers\n\nMessage-ID: <\(name)@letsmeet>"),
        ("", "Content-Type: text/plain\n\nYour mail <\(name)@letsmeet> is attached."),
        ("", "Content-Type: text/plain\n\n--=_0_\(name)\n\nHello\n--=_0.1_\(name)--"),
    ])
    func `Anything that names our mail leads to it`(headers: String, returned: String) {
        let found = report(Self.failure, headers: headers, returned: returned)
        #expect(found?.identities == ["\(Self.name)@letsmeet"])
    }

    @Test func `A report inside another mail is found`() {
        let whole = """
            From: postmaster@mx.example
            Content-Type: multipart/mixed; boundary=A

            --A
            Content-Type: multipart/report; boundary=B

            --B
            Content-Type: message/delivery-status

            \(Self.failure)
            --B
            Content-Type: text/rfc822-headers

            Message-ID: <\(Self.name)@letsmeet>
            --B--
            --A--
            """
        let found = BounceReport(ReceivedMail(Array(whole.utf8)))
        #expect(found?.receivers.map(\.addresses) == [["anna@example.org"]])
        #expect(found?.identities == ["\(Self.name)@letsmeet"])
    }

    @Test(arguments: [
        (
            "From: MAILER-DAEMON@mx.example\nSubject: failure notice",
            "Hi. This is the qmail-send program.\n\n<anna@example.org>:\n"
                + "Sorry, no mailbox here by that name. (#5.1.1)", "5.1.1"
        ),
        (
            "From: Mail Delivery System <Mailer-Daemon@mx.example>\n"
                + "X-Failed-Recipients: anna@example.org\n"
                + "Subject: Mail delivery failed: returning message to sender",
            "A message that you sent could not be delivered.\n\n  anna@example.org\n"
                + "    host mx2.example: 550 User unknown", "5.1.1"
        ),
        (
            "From: Mail Delivery Subsystem <mailer-daemon@mail.example>\n"
                + "Subject: Delivery Status Notification (Failure)",
            "Your message wasn't delivered to anna@example.org because the address couldn't be "
                + "found.\n550 5.1.1 The email account that you tried to reach does not exist.",
            "5.1.1"
        ),
        (
            "From: postmaster@outlook.example\nSubject: Undeliverable: Lunch",
            "Delivery has failed to these recipients or groups:\n\nanna@example.org\n"
                + "The recipient's mailbox is full. 5.2.2", "5.2.2"
        ),
        (
            "From: System Administrator <postmaster@guest.example>\n"
                + "Subject: Undeliverable: Invitation: Lunch",
            "Your message\n\n  To: Anna\n\ndid not reach the following recipient(s):\n\n"
                + "anna@example.org on Thu, 26 Nov 2026\n    The recipient name is not recognized",
            "5.1.1"
        ),
    ])
    func `A report in plain text is read`(header: String, text: String, status: String) {
        let mail =
            "\(header)\n\n\(text)\n\n------ This is a copy of your message.\n"
            + "Message-ID: <\(Self.name)@letsmeet>\nTo: ben@example.org\n"
        let found = BounceReport(ReceivedMail(Array(mail.utf8)))
        #expect(found?.receivers.map(\.addresses.first) == ["anna@example.org"])
        #expect(found?.receivers.first?.addresses.contains("ben@example.org") == false)
        #expect(found?.receivers.map(\.status) == [status])
        #expect(found?.receivers.map(\.isFinal) == [true])
        #expect(found?.identities == ["\(Self.name)@letsmeet"])
    }

    @Test func `A warning about a delay is not final`() {
        let mail = """
            From: MAILER-DAEMON@mx.example
            Subject: Warning: message delayed 24 hours

            <anna@example.org>: connection timed out. Will be retried for 3 days, then 5.1.1.
            """
        let found = BounceReport(ReceivedMail(Array(mail.utf8)))
        #expect(found?.receivers.map(\.action) == ["delayed"])
        #expect(found?.receivers.map(\.status) == [""])
    }

    @Test(arguments: [
        "From: anna@example.org\nSubject: delivery failed\n\nI could not come.",
        "From: postmaster@example.org\nSubject: Your account\n\nanna@example.org",
    ])
    func `A person's mail is no report`(mail: String) {
        #expect(BounceReport(ReceivedMail(Array(mail.utf8))) == nil)
    }
}
