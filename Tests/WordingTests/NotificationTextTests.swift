import Agenda
import Ledger
import TestKit
import Testing
import Timekeeping
import Wording

/// The exact texts of the built-in templates.
@Suite struct NotificationTextTests {
    private static let zones = ZoneDirectory()

    private func meeting(start: String = "2026-12-05T12:00") throws -> Meeting {
        let zone = try Self.zones.zone("Europe/Helsinki")
        return Meeting(
            id: MeetingID(text: "m"), uid: "u", organizer: PersonID(text: "o"),
            title: "Lunch & <talk> {{now}}", note: "Bring a coat.", link: "https://example.org/j",
            place: MeetingPlace(text: "Café Engel", latitude: 60.17, longitude: 24.95),
            time: MeetingTime(
                start: try WallTime.parse(start), zone: zone,
                duration: TimeSpan(days: 0, seconds: 5400)),
            reminders: [])
    }

    private func notification(
        _ kind: NotificationKind, _ meeting: Meeting, readerZone: String? = nil,
        before: MeetingFacts? = nil, body: String? = nil
    ) throws -> NotificationText {
        let library = try TemplateLibrary(
            shipped: Checkout.root + "/templates", own: "/nowhere", zones: Self.zones)
        return library.notification(
            NotificationFacts(
                kind: kind, meeting: meeting,
                organizer: Person(id: PersonID(text: "o"), name: "Olga"),
                reader: Person(id: PersonID(text: "a"), name: "Anna", zone: readerZone),
                turnout: Turnout(answers: AnswerCounts(of: [.going, .invited]), plus: 1),
                before: before, body: body, now: try Moment.parse("2026-12-05T09:00:00+02:00")))
    }

    private let facts = """
        When:       Sat 5 December 2026, 12:00–13:30 (Europe/Helsinki)
        Where:      Café Engel
        Map:        https://www.openstreetmap.org/?mlat=60.17&mlon=24.95#map=18/60.17/24.95
        Join:       https://example.org/j
        """

    @Test func `An invitation has the organizer, time, place and note, unescaped`() throws {
        let notification = try notification(.invitation, meeting())
        #expect(notification.subject == "Invitation: Lunch & <talk> {{now}}")
        #expect(
            notification.text == """
                Olga invites you to Lunch & <talk> {{now}}.

                \(facts)
                Guests:     2 going · 1 hasn't answered

                Bring a coat.
                """)
    }

    @Test func `A place named by its URL shows the URL once`() throws {
        let page = "https://foursquare.com/v/4d41b8c490f9224b9397121e"
        var meeting = try meeting()
        meeting.place = MeetingPlace(reference: "fsq:4d41b8c490f9224b9397121e", text: page)
        let text = try notification(.invitation, meeting).text
        #expect(text.contains("Where:      \(page)\nJoin:"))
        meeting.place?.text = "The old museum"
        #expect(
            try notification(.invitation, meeting).text.contains("museum\nMap:        \(page)\n"))
    }

    @Test func `A reader in another time zone gets both their time and the local time`() throws {
        let notification = try notification(
            .message, meeting(), readerZone: "America/New_York", body: "Hi!")
        #expect(
            notification.text.hasPrefix(
                """
                Message from Olga about Lunch & <talk> {{now}}:

                Hi!

                When:       Sat 5 December 2026, 05:00–06:30 (America/New_York)
                Time there: Sat 5 December 2026, 12:00–13:30 (Europe/Helsinki)
                """))
    }

    @Test func `A time zone with the same time adds no local time`() throws {
        let notification = try notification(
            .message, meeting(), readerZone: "Europe/Athens", body: "Hi!")
        #expect(!notification.text.contains("Time there:"))
        #expect(notification.text.contains("12:00–13:30 (Europe/Athens)"))
    }

    @Test func `A change shows the old and the new facts`() throws {
        let old = try meeting().facts
        var moved = try meeting(start: "2026-12-05T23:00")
        moved.place = nil
        let notification = try notification(.change, moved, before: old)
        #expect(
            notification.text.hasPrefix(
                """
                Olga changed the plan for Lunch & <talk> {{now}}.

                When
                  Was: Sat 5 December 2026, 12:00–13:30 (Europe/Helsinki)
                  Now: Sat 5 December 2026, 23:00–Sun 6 December 2026, 00:30 \
                (Europe/Helsinki)

                Where
                  Was: Café Engel
                  Now: not set
                """))
    }

    @Test(arguments: [
        (MeetingStatus.cancelled, "Olga cancelled Lunch & <talk> {{now}}. The meeting is off."),
        (
            .confirmed,
            "Olga took you off the guest list for Lunch & <talk> {{now}}. You're no longer invited."
        ),
    ])
    func `A cancellation says if the meeting is off or only its reader is uninvited`(
        _ status: MeetingStatus, _ first: String
    ) throws {
        var meeting = try meeting()
        meeting.status = status
        let notification = try notification(.cancellation, meeting)
        let news = status == .cancelled ? "Cancelled" : "You're no longer invited"
        #expect(notification.subject == "\(news): Lunch & <talk> {{now}}")
        #expect(notification.text == "\(first)\n\nIt was planned for:\n\n\(facts)")
    }

    @Test func `A cancellation shows the facts that its reader was last notified of`() throws {
        var moved = try meeting(start: "2026-12-06T23:00")
        moved.title = "Supper"
        moved.place = MeetingPlace(text: "Inn", latitude: 1, longitude: 2)
        moved.status = .cancelled
        let notification = try notification(.cancellation, moved, before: meeting().facts)
        #expect(notification.subject == "Cancelled: Lunch & <talk> {{now}}")
        #expect(
            notification.text == """
                Olga cancelled Lunch & <talk> {{now}}. The meeting is off.

                It was planned for:

                When:       Sat 5 December 2026, 12:00–13:30 (Europe/Helsinki)
                Where:      Café Engel
                Join:       https://example.org/j
                """)
    }

    @Test func `A reminder says how soon the meeting starts`() throws {
        let notification = try notification(.reminder, meeting())
        #expect(notification.subject == "Reminder: Lunch & <talk> {{now}} in 3 hours")
        #expect(notification.text.hasPrefix("Lunch & <talk> {{now}} starts in 3 hours."))
    }

    @Test func `A nudge works with and without a message`() throws {
        let plain = try notification(.nudge, meeting()).text
        #expect(
            plain == "Olga would like to know if you can make it to Lunch & <talk> {{now}}.\n\n"
                + facts)
        let own = try notification(.nudge, meeting(), body: "I book on Thursday.").text
        #expect(own.contains("{{now}}.\n\nI book on Thursday.\n\nWhen:"))
    }

    @Test func `A custom digest without the held messages is ignored`() async throws {
        try await withTemporaryFolder { folder in
            let own = folder + "/text/digest.mustache"
            try Files.write("Today\n\n{{#meetings}}{{title}}{{/meetings}} and more", to: own)
            let library = try TemplateLibrary(
                shipped: Checkout.root + "/templates", own: folder, zones: Self.zones)
            #expect(library.faults.map(\.file) == [own])
            #expect(library.faults.first?.reason.contains("{{#notes}}") == true)
        }
    }

    @Test func `A broken custom template is ignored and reported`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let own = folder + "/text"
            try Files.write("Ours\n\n{{#open}}", to: own + "/nudge.mustache")
            try Files.write("Ours: {{title}}\n\n{{> facts}}", to: own + "/message.mustache")
            let library = try TemplateLibrary(
                shipped: Checkout.root + "/templates", own: folder, zones: Self.zones)
            #expect(library.faults.map(\.file) == [own + "/nudge.mustache"])
        }
    }

    @Test(arguments: [
        ("Ours\n\n{{#place}}a", 3, "{{#place}} is never closed."),
        ("Ours\n\n{{#place}}\na{{/title}}\n", 4, "{{/title}} stands in place of {{/place}}"),
        ("Ours\n{{title\n", 2, "a tag is not closed."),
        ("Ours\n{{= x =}}\n", 2, "the tag that changes the delimiters"),
        ("Ours\n{{% OWN }}\n", 2, "a tag that begins with %"),
        ("Ours\n\n{{titel}}", 3, "there is no variable {{titel}}."),
    ])
    func `An error in a template is reported with its line, without terms of the parser`(
        template: String, line: Int, words: String
    ) async throws {
        try await withTemporaryFolder { folder in
            let file = folder + "/text/reminder.mustache"
            try Files.write(template, to: file)
            let fault = try #require(
                try TemplateLibrary(
                    shipped: Checkout.root + "/templates", own: folder, zones: Self.zones
                ).faults.first)
            #expect(fault.line == line)
            #expect(fault.reason.hasPrefix(words), "\(fault)")
            #expect(fault.description.hasPrefix("\(file), line "), "\(fault)")
            #expect(!fault.description.contains("Error"), "\(fault)")
        }
    }

    @Test(arguments: [
        ("Ours\n\n{{titel}}", "{{titel}}"), ("Ours\n\n{{> fact}}", "{{> fact}}"),
        ("Ours\n\n{{#if}}a{{/if}}", "{{if}}"), ("", "subject"), ("\n\nOurs", "subject"),
        ("Ours\n \n", "is empty"), ("Ours\n\n{{#note}}{{note}}{{/note}}", "is empty"),
        ("{{#place}}Ours{{/place}}\n\n{{> facts}}", "subject"),
    ])
    func `A custom template without text or with unknown variables is ignored`(
        template: String, reason: String
    ) async throws {
        try await withTemporaryFolder { folder in
            let file = folder + "/text/reminder.mustache"
            try Files.write(template, to: file)
            let library = try TemplateLibrary(
                shipped: Checkout.root + "/templates", own: folder, zones: Self.zones)
            #expect(library.faults.map(\.file) == [file])
            #expect(library.faults.first?.reason.contains(reason) == true, "\(library.faults)")
        }
    }

    @Test(arguments: [
        (0, "now"), (1, "in 1 second"), (89, "in 89 seconds"), (90, "in 2 minutes"),
        (3600, "in 1 hour"), (5400, "in 2 hours"), (86_400, "in 24 hours"),
        (129_600, "in 2 days"), (-5, "now"),
    ])
    func `A time from now is rounded as people speak`(_ seconds: Int64, _ words: String) {
        let now = Moment(seconds: 1_800_000_000)
        let distance = TimeWords.distance(from: now, to: now.advanced(bySeconds: seconds))
        #expect(distance == words)
    }
}
