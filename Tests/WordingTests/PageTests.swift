import Agenda
import Ledger
import TestKit
import Testing
import Timekeeping
import Wording

/// The HTML versions of mails.
@Suite struct PageTests {
    private static func page(
        _ kind: NotificationKind = .invitation, title: String = "Lunch", body: String? = nil,
        own: String = "/nowhere"
    ) throws -> (page: String, library: TemplateLibrary) {
        let zones = ZoneDirectory()
        let library = try TemplateLibrary(
            shipped: Checkout.root + "/templates", own: own, zones: zones)
        let meeting = Meeting(
            id: MeetingID(text: "m"), uid: "u", organizer: PersonID(text: "o"), title: title,
            note: "Bring a coat.", place: MeetingPlace(text: "Café Engel"),
            time: MeetingTime(
                start: try WallTime.parse("2026-12-05T12:00"),
                zone: try zones.zone("Europe/Helsinki"), duration: Meeting.durationDefault),
            reminders: [])
        let facts = NotificationFacts(
            kind: kind, meeting: meeting,
            organizer: Person(id: PersonID(text: "o"), name: "Olga"),
            reader: Person(id: PersonID(text: "a"), name: "Anna"),
            turnout: Turnout(answers: AnswerCounts(of: [.going])), before: nil, body: body,
            now: try Moment.parse("2026-12-05T09:00:00+02:00"))
        return (library.page(of: library.notification(facts), facts), library)
    }

    @Test(arguments: NotificationKind.allCases.filter(\.isAboutMeeting))
    func `Each kind has HTML with the title, time, place and message`(
        _ kind: NotificationKind
    ) throws {
        let page = try Self.page(kind, body: "Come early!\nPlease.").page
        for words in [
            "<!DOCTYPE html>", ">Lunch</h1>", "Sat 5 December 2026, 12:00–13:00", "Café Engel",
            "Come early!\nPlease.", "</html>",
        ] {
            #expect(page.contains(words), "\(words) in \(page)")
        }
        #expect(!page.contains("{{"))
        #expect(page.firstMatch(of: /<(script|img|link)\b/) == nil)
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "\"\u{301}/onclick=x", "<\u{301}b>", "&lt;", "{{note}}",
        "'\"><b>",
    ])
    func `A title or message with HTML characters is escaped`(_ words: String) throws {
        let (page, _) = try Self.page(.message, title: words, body: words)
        #expect(!page.unicodeScalars.containsSequence(words.unicodeScalars) || words == "{{note}}")
        let escaped = HTMLText.escaped(words)
        #expect(page.contains("\(escaped)</h1>") && page.contains("\(escaped)</blockquote>"))
        #expect(!escaped.unicodeScalars.contains { "<>\"'".unicodeScalars.contains($0) })
    }

    @Test func `A custom text without custom HTML is shown in the HTML`() async throws {
        try await withTemporaryFolder { folder in
            try Files.write(
                "Ours\n\nCome to {{title}}, <b>.", to: folder + "/text/reminder.mustache")
            let (reminder, library) = try Self.page(.reminder, own: folder)
            #expect(reminder.contains("Come to Lunch, &lt;b&gt;.</p>"))
            #expect(library.faults.isEmpty)
            #expect(try Self.page(.nudge, own: folder).page.contains("would like to know"))
            try Files.write("<p>{{title}}{{message}}</p>", to: folder + "/html/reminder.mustache")
            #expect(try Self.page(.reminder, own: folder).page == "<p>Lunch</p>")
        }
    }

    @Test(arguments: [
        ("reminder", "<p>{{title}}</p>", "must contain {{message}}"),
        ("reminder", "<p>{{titel}}</p>", "no variable {{titel}}"),
        ("quote", "<p></p>", "must contain {{message}}"),
        ("facts", "{{#place}}", "{{#place}} is never closed"),
    ])
    func `A broken custom page is ignored and reported`(
        _ name: String, _ template: String, _ reason: String
    ) async throws {
        try await withTemporaryFolder { folder in
            let file = folder + "/html/\(name).mustache"
            try Files.write(template, to: file)
            let (page, library) = try Self.page(.reminder, body: "Hi", own: folder)
            #expect(library.faults.map(\.file) == [file])
            #expect(library.faults.first?.reason.contains(reason) == true, "\(library.faults)")
            #expect(page.contains("Café Engel") && page.contains("Hi</blockquote>"))
        }
    }

    @Test func `A notification that is not about a meeting shows its text in the HTML`() throws {
        let (_, library) = try Self.page()
        let anna = Person(id: PersonID(text: "anna"), name: "Anna")
        let page = library.page(
            of: NotificationText(subject: "A & B", text: "one\n<two>"), stop: nil, for: anna)
        #expect(page.contains(">A &amp; B</h1>") && page.contains("one\n&lt;two&gt;</p>"))
    }
}

extension String.UnicodeScalarView {
    fileprivate func containsSequence(_ other: String.UnicodeScalarView) -> Bool {
        Array(self).firstRange(of: Array(other)) != nil
    }
}
