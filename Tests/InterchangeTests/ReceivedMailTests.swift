import Foundation
import Interchange
import TestKit
import Testing
import Timekeeping

@Suite struct ReceivedMailTests {
    private func mail(_ text: String) -> ReceivedMail {
        ReceivedMail(Array(text.replacing("\n", with: "\r\n").utf8))
    }

    @Test func `Quotes in angle brackets protect a bracket and another address`() {
        for text in ["<\"a> <anna@b.org> \"@c.org>", "<\"a@b.org>,<anna@b.org\"@c.org>"] {
            #expect(ReceivedMail(Array("From: \(text)\n\nHello".utf8)).author == nil)
        }
    }

    @Test func `A mail with nested and encoded parts is parsed`() {
        let mail = mail(
            """
            From: "Aalto, Anna <fake@example.org>" <anna@example.org> (not (me@x) at all)
            To: olga@example.org, "B" <b@example.org>; group: c@example.org;
            Subject: =?utf-8?Q?Ja_=C3=A4?=
             =?iso-8859-1?B?5A==?= plain =?x?
            Content-Type: multipart/mixed; boundary="a b;c"

            before
            --a b;c
            Content-Type: multipart/alternative; boundary=inner

            --inner
            Content-Type: TEXT/plain; charset="iso-8859-1"
            Content-Transfer-Encoding: quoted-printable

            Sch=F6n =
            weiter
            --inner
            Content-Type: text/html

            <p>
            --inner--
            --a b;c
            Content-Type: text/calendar; method=REPLY; name*=utf-8''a%20b
            Content-Transfer-Encoding: base64

            QkVHSU46
            VkNBTEVOREFS
            --a b;c--
            after
            """)
        #expect(mail.addresses(in: "from") == ["anna@example.org"])
        #expect(
            mail.addresses(in: "To") == ["olga@example.org", "b@example.org", "c@example.org"])
        #expect(mail["subject"] == "Ja ää plain =?x?")
        #expect(mail.parts.map(\.type) == ["text/plain", "text/html", "text/calendar"])
        #expect(mail.text == "Schön weiter\n")
        #expect(String(decoding: mail.parts[2].octets, as: UTF8.self) == "BEGIN:VCALENDAR")
        #expect(mail.parts[2].parameters == ["method": "REPLY", "name": "a b"])
    }

    @Test(arguments: [
        "", "\n", "\n\n\n", "From: x", ":", "a:b\n c\n\nbody", "Content-Type: multipart/mixed\n\nx",
        "Content-Type: multipart/mixed; boundary=\n\n--\n\nx",
        "Content-Type: multipart/mixed; boundary=x\n\n--x", "Content-Type: ;;;=\n\n",
        "Content-Type: multipart/mixed; boundary=x\n\n--x\n--x\n--x--\n--x",
        "Content-Transfer-Encoding: base64\n\n====", "Subject: =?utf-8?b?====?=\n\n",
        "From: \"\\", "From: <<<>>>((((", "From: a@b@c, @, <@>, a@, <a b@c>",
    ])
    func `A broken mail is parsed without failing`(_ text: String) {
        for octets in [
            Array(text.utf8), Array(text.utf8) + [0, 0xFF, 0xFE],
            Array(text.utf16).flatMap { [UInt8($0 & 255), 0] },
        ] {
            let mail = ReceivedMail(octets)
            #expect(mail.parts.count <= 200)
            _ = (mail["Subject"], mail.addresses(in: "From"), mail.text, mail.isAutomatic)
            _ = BounceReport(mail)
            _ = CalendarReply.all(in: octets)
        }
    }

    @Test func `Deep nesting and large numbers of parts are limited`() {
        var deep = "x"
        for level in 0..<2000 {
            let mark = "b\(level)"
            deep =
                "Content-Type: multipart/mixed; boundary=\(mark)\n\n--\(mark)\n\(deep)\n"
                + "--\(mark)--"
        }
        #expect(mail(deep).parts.count == 1)
        let wide =
            "Content-Type: multipart/mixed; boundary=b\n\n"
            + String(repeating: "--b\n\nx\n", count: 50_000)
        #expect(mail(wide).parts.count == 199)
    }

    @Test(arguments: [
        ("Auto-Submitted: auto-replied", true), ("Auto-Submitted: no", false),
        ("Auto-Submitted: No; x=y", false), ("Precedence: bulk", true), ("X-Autoreply: yes", true),
        ("Precedence: list", false), ("X-Autoreply: no", false), ("Subject: x", false),
        ("Subject: Automatic reply: Lunch", true), ("Subject: Re: Automatic reply: x", false),
        ("Subject: Automatische Antwort: x", true),
        ("Subject: [EXTERNAL] [EXT] Automatische Antwort: x", true),
        ("Subject: [x] No: Automatic reply: y", false), ("X-Precedence: auto_reply", true),
        ("X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent", true),
    ])
    func `Automatic mails are recognized`(_ header: String, _ isAutomatic: Bool) {
        #expect(mail("\(header)\n\nx").isAutomatic == isAutomatic)
    }

    @Test func `A bounce report gives the result for each recipient`() throws {
        let report = try #require(
            BounceReport(
                mail(
                    """
                    From: MAILER-DAEMON@mx.example (Mail Delivery System)
                    Content-Type: multipart/report; report-type=delivery-status; boundary="B"

                    --B

                    I'm sorry.
                    --B
                    Content-Type: message/delivery-status

                    Reporting-MTA: dns; mx.example
                    Arrival-Date: Tue, 1 Dec 2026 12:00:00 +0000

                    Final-Recipient: rfc822; gone@example.org
                    Original-Recipient: rfc822;anna@example.org
                    Action: failed
                    Status: 5.1.1
                    Diagnostic-Code: smtp; 550 5.1.1 <gone@example.org>:
                        unknown

                    Final-Recipient: rfc822; ben@example.org
                    Action: delayed
                    Status: 4.4.1
                    --B
                    Content-Type: message/rfc822

                    Message-ID: <abc@letsmeet>
                    Subject: x

                    body
                    --B--
                    """)))
        #expect(report.identities.first == "abc@letsmeet")
        #expect(
            report.receivers.map(\.addresses) == [
                ["gone@example.org", "anna@example.org"], ["ben@example.org"],
            ])
        #expect(report.receivers.map(\.isFinal) == [true, false])
        #expect(report.receivers.first?.words.hasPrefix("550 5.1.1 <gone@example.org>:") == true)
        #expect(BounceReport(mail("Content-Type: multipart/report; boundary=B\n\n--B\n\nx")) == nil)
    }

    @Test func `A reply is read in the form that calendar programs write`() throws {
        let reply = try #require(
            CalendarReply.all(
                in: Array(
                    """
                    BEGIN:VCALENDAR
                    METHOD:reply
                    BEGIN:VTIMEZONE
                    TZID:X
                    END:VTIMEZONE
                    BEGIN:VEVENT
                    ATTENDEE;CN="Aalto, Anna";PARTSTAT=accepted:MAIL
                     TO:anna@example.org
                    UID:abcdefghijkmnpqr@letsmeet
                    SEQUENCE:2
                    DTSTAMP:20261201T120000Z
                    COMMENT:I come\\, late\\nreally
                    BEGIN:VALARM
                    UID:other
                    END:VALARM
                    END:VEVENT
                    END:VCALENDAR
                    """.utf8)
            ).first)
        #expect(reply.method == "REPLY")
        #expect(reply.uid == "abcdefghijkmnpqr@letsmeet")
        #expect(reply.sequence == 2)
        #expect(reply.stampedAt?.seconds == 1_796_126_400)
        #expect(reply.attendees.map(\.addresses.first) == ["anna@example.org"])
        #expect(reply.attendees.map(\.participation) == ["ACCEPTED"])
        #expect(reply.period == nil)
        #expect(reply.comment == "I come, late\nreally")
        #expect(reply.occurrence == nil)
    }

    @Test(.enabled(if: CalendarCorpus.isThere, "shared/corpus is not beside this checkout"))
    func `Unusual calendar files of other programs are parsed without failing`() throws {
        let names = CalendarCorpus.names
        #expect(!names.isEmpty)
        for name in names {
            let octets = try CalendarCorpus.octets(of: name)
            _ = CalendarReply.all(in: octets)
            let mail = ReceivedMail(Array("Content-Type: text/calendar\r\n\r\n".utf8) + octets)
            #expect(mail.parts.map(\.type) == ["text/calendar"], "\(name)")
        }
    }

    @Test(arguments: [
        ("\"a, b\" <b@x.example>, c@x.example", ["b@x.example", "c@x.example"]),
        ("\"A\" <a@x.example>", ["a@x.example"]),
        ("Team: \"A\" <a@x.example>, b@x.example;", ["a@x.example", "b@x.example"]),
    ])
    func `Quoted names and local parts are told apart`(_ field: String, _ addresses: [String]) {
        let mail = ReceivedMail(Array("To: \(field)\n\n".utf8))
        #expect(mail.addresses(in: "To") == addresses)
    }

    @Test(arguments: [
        // A character is split between two words.
        ("=?utf-8?B?R3LDvMM=?= =?utf-8?B?n2U=?=", "Grüße"),
        ("=?utf-8?Q?Gr=C3?= =?UTF-8?Q?=BC=C3=9Fe?=", "Grüße"),
        ("=?iso-2022-jp?B?GyRCJTIhPBsoQg==?= =?iso-2022-jp?B?GyRCJWAbKEI=?=", "ゲーム"),
        // One of two words is not in the charset that both state.
        ("=?utf-8?Q?=C3=BC?= =?utf-8?Q?=FC?=", "üü"),
        ("=?utf-8?Q?Yes: Lunch?= now", "Yes: Lunch now"),
        ("=?utf-8?Q?Yes: Board=\n _games?=", "Yes: Board games"),
        ("=?utf-8?B?R3 LD\n vA==?=", "Grü"),
        ("=?utf-8?Q?a?= b =?utf-8?Q?c?=", "a b c"), ("1 =? 2 ?=", "1 =? 2 ?="),
    ])
    func `Encoded words that programs split or wrote with blanks are read`(
        _ field: String, _ text: String
    ) {
        #expect(ReceivedMail(Array("Subject: \(field)\n\n".utf8))["Subject"] == text)
    }

    @Test(arguments: [
        ("text/calendar (RFC 5545); method=REPLY (an answer; or not)", "text/calendar", "REPLY"),
        ("text/calendar; method=(a (nested) remark)REPLY", "text/calendar", "REPLY"),
        ("text/calendar; method=\"REPLY (x)\"", "text/calendar", "REPLY (x)"),
        ("text/calendar; method=a(b)c", "text/calendar", "a(b)c"),
    ])
    func `Remarks in a content type are left out, and parentheses in words stay`(
        _ field: String, _ type: String, _ method: String
    ) {
        let mail = ReceivedMail(Array("Content-Type: \(field)\n\nx".utf8))
        #expect(mail.type == type)
        #expect(mail.typeParameters["method"] == method)
    }

    @Test func `An address list of many signs is read once`() {
        let name = String(repeating: "x", count: 32_000)
        let field = "\"\(name)\"" + String(repeating: ":@", count: 16_000) + " <a@x.example>"
        #expect(ReceivedMail(Array("From: \(field)\n\n".utf8)).author == "a@x.example")
    }

    @Test(arguments: [
        ("no", "A long line \nbroken \n> quoted \n> more\n-- \nAnna", "A long line broken "),
        ("yes", "A lo \nng line\n  stuffed", "A long line"),
    ])
    func `Lines that a program has broken are joined`(
        _ delsp: String, _ text: String, _ first: String
    ) {
        let head = "Content-Type: text/plain; format=Flowed; delsp=\(delsp)\n\n"
        let lines = ReceivedMail(Array((head + text).utf8)).readableText
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.first == first)
        if delsp == "no" {
            #expect(lines.dropFirst() == ["> quoted more", "-- ", "Anna"])
        } else {
            #expect(lines.dropFirst() == [" stuffed"])
        }
    }
}
