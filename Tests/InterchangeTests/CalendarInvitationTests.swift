import Interchange
import TestKit
import Testing
import Timekeeping

@Suite struct CalendarInvitationTests {
    private static let now = "2026-11-22T10:00:00Z"

    private static func invitation(
        _ method: CalendarInvitation.Method = .request, title: String = "Lunch",
        zone: String = "Europe/Helsinki", start: String = "2026-12-05T10:00:00Z",
        hours: Int64 = 1, _ change: (inout CalendarEvent) -> Void = { _ in }
    ) throws -> CalendarInvitation {
        let start = try Moment.parse(start)
        var event = CalendarEvent(
            uid: "mmmm@letsmeet", sequence: 3, title: title, start: start,
            end: start.advanced(bySeconds: hours * 3600), zone: try ZoneDirectory().zone(zone))
        change(&event)
        return CalendarInvitation(
            method: method, event: event,
            organizer: try Mailbox("olga@example.org", name: "Olga"),
            attendee: try Mailbox("anna@example.org", name: "Anna \"A\"; Aalto"))
    }

    private static func text(_ invitation: CalendarInvitation) throws -> String {
        String(decoding: invitation.octets(at: try Moment.parse(now)), as: UTF8.self)
    }

    private static func lines(_ invitation: CalendarInvitation) throws -> [String] {
        try text(invitation).replacing("\r\n ", with: "").split(separator: "\r\n")
            .map(String.init)
    }

    @Test func `Other attendees are listed without being asked for an answer`()
        throws
    {
        var invitation = try Self.invitation { _ in }
        invitation.others = [
            CalendarInvitation.Guest(
                try Mailbox("ben@example.org", name: "Ben, B."), answer: .accepted)
        ]
        let lines = try Self.lines(invitation).filter { $0.hasPrefix("ATTENDEE") }
        #expect(lines.count == 2)
        #expect(
            lines.last == "ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;"
                + "CN=\"Ben, B.\":mailto:ben@example.org")
    }

    @Test func `An invitation is a request with its zone, people and place`() throws {
        var invitation = try Self.invitation { event in
            event.details = "Bring a coat, and; a \\ hat.\nSoon."
            event.link = "https://example.org/room evil"
            event.location = CalendarEvent.Location(
                text: "Café Ä, Helsinki", position: (60.1699, -0.5))
        }
        invitation.answer = .tentative
        invitation.sender = try Mailbox("letsmeet@example.org")
        let lines = try Self.lines(invitation)
        #expect(
            lines == [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//letsmeet//letsmeet//EN",
                "METHOD:REQUEST", "BEGIN:VTIMEZONE", "TZID:Europe/Helsinki", "BEGIN:DAYLIGHT",
                "DTSTART:19960331T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0300", "TZNAME:EEST",
                "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "END:DAYLIGHT", "BEGIN:STANDARD",
                "DTSTART:19961027T040000", "TZOFFSETFROM:+0300", "TZOFFSETTO:+0200", "TZNAME:EET",
                "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "END:STANDARD", "END:VTIMEZONE",
                "BEGIN:VEVENT", "UID:mmmm@letsmeet", "DTSTAMP:20261122T100000Z", "SEQUENCE:3",
                "DTSTART;TZID=Europe/Helsinki:20261205T120000",
                "DTEND;TZID=Europe/Helsinki:20261205T130000", "SUMMARY:Lunch",
                "DESCRIPTION:Bring a coat\\, and\\; a \\\\ hat.\\nSoon.",
                "URL:https://example.org/room", "LOCATION:Café Ä\\, Helsinki",
                "GEO:60.169900;-0.500000",
                "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=70;"
                    + "X-TITLE=\"Café Ä, Helsinki\":geo:60.169900,-0.500000",
                "STATUS:CONFIRMED",
                "ORGANIZER;CN=Olga;SENT-BY=\"mailto:letsmeet@example.org\":"
                    + "mailto:olga@example.org",
                "ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=TENTATIVE;RSVP=TRUE;"
                    + "CN=\"Anna ^'A^'; Aalto\":mailto:anna@example.org", "END:VEVENT",
                "END:VCALENDAR",
            ])
    }

    @Test func `A cancellation for one attendee does not state the meeting's status`() throws {
        var invitation = try Self.invitation(.cancel)
        #expect(try !Self.text(invitation).contains("STATUS"))
        #expect(try !Self.text(invitation).contains("RSVP"))
        invitation.isOff = true
        #expect(try Self.lines(invitation).contains("STATUS:CANCELLED"))
        #expect(try Self.lines(invitation).contains("METHOD:CANCEL"))
    }

    @Test(arguments: ["UTC", "Etc/UTC", "Etc/GMT+3"])
    func `A time in a zone without place-specific rules is written in UTC`(_ zone: String) throws {
        let lines = try Self.lines(Self.invitation(zone: zone))
        #expect(lines.contains("DTSTART:20261205T100000Z"))
        #expect(!lines.contains("BEGIN:VTIMEZONE"))
    }

    @Test func `The second of two equal wall-clock times is written in UTC`() throws {
        // From 02:30 in summer time to 03:30 in winter time, two hours later.
        let lines = try Self.lines(Self.invitation(start: "2026-10-24T23:30:00Z", hours: 2))
        #expect(lines.contains("DTSTART;TZID=Europe/Helsinki:20261025T023000"))
        #expect(lines.contains("DTEND:20261025T013000Z"))
    }

    @Test(arguments: [
        "a\r\nATTENDEE:mailto:evil@example.org", "\u{0}\u{1}\u{7F}", "=?utf-8?q?x?=", "{{title}}",
        "<b>&amp;", String(repeating: "ä🏳️‍🌈", count: 500), "\u{202E}right to left", "\u{2028}",
        "END:VEVENT", "^n\"", "a\\nb", "x\u{600};PARTSTAT=ACCEPTED", ":\u{FE0F}y", ";\u{301}",
        "e" + String(repeating: "\u{301}", count: 400),
    ])
    func `Text from people stays in its line, and lines stay short`(_ words: String) throws {
        var invitation = try Self.invitation(title: words) { event in
            event.details = words
            event.link = words
            event.location = CalendarEvent.Location(text: words, position: (0, 0))
        }
        invitation = CalendarInvitation(
            method: .request, event: invitation.event,
            organizer: Mailbox(named: words, at: invitation.organizer),
            attendee: invitation.attendee)
        let text = try Self.text(invitation)
        let physical = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(physical.allSatisfy { $0.utf8.count <= 75 })
        #expect(!text.replacing("\r\n", with: "").unicodeScalars.contains { $0.value < 0x20 })
        let lines = try Self.lines(invitation)
        #expect(lines.count { $0.hasPrefix("ATTENDEE") } == 1)
        #expect(lines.count { $0.hasPrefix("END:VEVENT") } == 1)
        #expect(lines.count { $0.hasPrefix("SUMMARY:") } == 1)
        let planner = try #require(lines.first { $0.hasPrefix("ORGANIZER") })
        let bare = planner.unicodeScalars.split(separator: "\"").enumerated()
            .filter { $0.offset % 2 == 0 }.flatMap { Array($0.element) }
        #expect(bare.count { $0 == ";" } <= 1, "\(planner)")
    }

    @Test func `Names and texts with marks that turn text stay as they are`() throws {
        let words = "Lunch \u{202E}moc\u{2067}.x\u{202C}"
        var invitation = try Self.invitation(title: words)
        invitation = CalendarInvitation(
            method: .request, event: invitation.event,
            organizer: Mailbox(named: words, at: invitation.organizer),
            attendee: Mailbox(named: words, at: invitation.attendee))
        let lines = try Self.lines(invitation)
        #expect(lines.contains("SUMMARY:\(words)"))
        #expect(lines.contains("ORGANIZER;CN=\(words):mailto:olga@example.org"))
        #expect(lines.contains { $0.hasSuffix(";CN=\(words):mailto:anna@example.org") })
    }

    @Test(arguments: [
        ("https://x.example/a\"b<c>", "https://x.example/a%22b%3Cc%3E"),
        ("https://x.example/?q={a|b}^`\\#c%20d", "https://x.example/?q=%7Ba%7Cb%7D%5E%60%5C#c%20d"),
        ("https://münchen.example/é", "https://münchen.example/é"),
    ])
    func `Characters that no URI may contain are encoded in a link`(
        _ link: String, _ expected: String
    ) throws {
        let invitation = try Self.invitation { $0.link = link }
        #expect(try Self.lines(invitation).contains("URL:\(expected)"))
    }

    /// Every Saturday until 20 March, in Helsinki, with one cancelled and one moved occurrence.
    private static func series() throws -> CalendarInvitation {
        try invitation { event in
            event.rule = try? RecurrenceRule("FREQ=WEEKLY;UNTIL=20270320T120000")
            event.lastEnd = try? Moment.parse("2027-03-20T11:00:00Z")
            event.exceptions = [event.start.advanced(bySeconds: 7 * 86_400)]
            var change = CalendarEvent(
                uid: event.uid, sequence: 4, title: "Lunch",
                start: event.start.advanced(bySeconds: 15 * 86_400),
                end: event.end.advanced(bySeconds: 15 * 86_400), zone: event.zone)
            change.original = event.start.advanced(bySeconds: 14 * 86_400)
            event.changes = [change]
        }
    }

    @Test func `A series is written with a rule that ends in UTC and with its exceptions`()
        throws
    {
        let lines = try Self.lines(try Self.series())
        let told = lines.filter { line in
            ["DTSTART;", "RRULE:FREQ=WEEKLY", "EXDATE", "RECURRENCE-ID", "UID"].contains {
                line.hasPrefix($0)
            }
        }
        #expect(
            told == [
                "UID:mmmm@letsmeet", "DTSTART;TZID=Europe/Helsinki:20261205T120000",
                "RRULE:FREQ=WEEKLY;UNTIL=20270320T100000Z",
                "EXDATE;TZID=Europe/Helsinki:20261212T120000", "UID:mmmm@letsmeet",
                "DTSTART;TZID=Europe/Helsinki:20261220T120000",
                "RECURRENCE-ID;TZID=Europe/Helsinki:20261219T120000",
            ])
        #expect(lines.count { $0 == "BEGIN:VTIMEZONE" } == 1)
        #expect(lines.count { $0.hasPrefix("ORGANIZER") } == 2)
    }

    @Test func `A series in a zone with a fixed offset names the zone, for its weekdays`() throws {
        let zone = Zone(fixedOffsetSeconds: 7 * 3600)
        let start = try Moment.parse("2026-12-04T20:00:00Z")
        var event = CalendarEvent(
            uid: "m", sequence: 0, title: "Early", start: start,
            end: start.advanced(bySeconds: 3600), zone: zone)
        let invited = try Mailbox("anna@example.org")
        func lines() throws -> [String] {
            try Self.lines(
                CalendarInvitation(
                    method: .request, event: event, organizer: invited, attendee: invited))
        }
        #expect(try lines().contains("DTSTART:20261204T200000Z"))
        event.rule = try RecurrenceRule("FREQ=WEEKLY;BYDAY=SA")
        #expect(try lines().contains("DTSTART;TZID=\"+07:00\":20261205T030000"))
        #expect(try lines().contains("TZOFFSETTO:+0700"))
    }
}
