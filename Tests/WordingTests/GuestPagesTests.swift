import TestKit
import Testing

@testable import Wording

@Suite struct GuestPagesTests {
    private static func pages(own: String = "/nowhere") throws -> GuestPages {
        try GuestPages(shipped: Checkout.root + "/templates", own: own)
    }

    private static func facts(
        _ text: String = "Games", _ standing: GuestPageFacts.Standing = .invited
    ) -> GuestPageFacts {
        var facts = GuestPageFacts(
            token: "abc", reader: text, title: text, organizer: text, standing: standing,
            when: "Tue 12 January 2027")
        (facts.place, facts.note, facts.guestNote) = (text, text, text)
        (facts.going, facts.maybe) = ([text], [text])
        (facts.problem, facts.coming) = (text, "3 going")
        return facts
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "\"\u{301} onfocus=x autofocus y=\"", "</textarea><b>",
        "<\u{301}b>", "{{> head}}", "'><img src=x>",
    ])
    func `A guest's or organizer's text is escaped, also in form fields`(_ text: String) throws {
        let page = try Self.pages().page(Self.facts(text))
        let shown = HTMLText.escaped(text)
        #expect(page.contains("<h1>\(shown)</h1>") && page.contains(">\(shown)</textarea>"))
        #expect(page.firstMatch(of: /<(script|img|b|iframe|base|meta http)\b/) == nil)
        #expect(page.matches(of: /<form\b/).count == 2)
        #expect(page.firstMatch(of: /<[^>]*\son\w+=/) == nil)
    }

    @Test func `The page has three answer buttons, and the chosen one is highlighted`() throws {
        var facts = Self.facts()
        (facts.said, facts.chosen, facts.plus) = ("no", "yes", "2")
        let page = try Self.pages().page(facts)
        #expect(page.matches(of: /<button name="answer" value="(yes|maybe|no)"/).count == 3)
        #expect(page.contains("value=\"yes\" class=\"yes chosen\""))
        #expect(page.contains("Your answer: <strong>No</strong>"))
        #expect(page.contains("Press <strong>Yes</strong>"))
        #expect(page.contains("action=\"abc\"") && page.contains("value=\"2\""))
        #expect(page.contains("href=\"abc/meeting.ics\""))
    }

    @Test(arguments: [
        (GuestPageFacts.Standing.organizing, "You're organizing this meeting."),
        (.off, "You're no longer invited to this meeting."),
        (.cancelled, "This meeting was cancelled."), (.over, "This meeting is over."),
    ])
    func `A page without answer buttons gives the reason`(
        _ standing: GuestPageFacts.Standing, _ words: String
    ) throws {
        let page = try Self.pages().page(Self.facts("Games", standing))
        #expect(page.contains(words) && !page.contains("<textarea"))
        #expect(page.contains("12 January") == (standing != .off))
    }

    @Test func `Of more than 50 guests the first 50 are named and the rest are counted`() throws {
        var facts = Self.facts()
        facts.going = (1...60).map { "Guest\($0)" }
        let page = try Self.pages().page(facts)
        #expect(page.contains("Guest50 and 10 more") && !page.contains("Guest51"))
    }

    @Test func `A custom page replaces the built-in one unless it is broken`() async throws {
        try await withTemporaryFolder { folder in
            try Files.write(
                "Ours: {{title}} <form action=\"{{token}}\">", to: folder + "/page/guest.mustache")
            try Files.write("{{#isOn}}", to: folder + "/page/stop.mustache")
            try Files.write("no form", to: folder + "/page/lost.mustache")
            try Files.write("{{title}}", to: folder + "/page/head.mustache")
            try Files.write("p { color: red }", to: folder + "/web/style.css")
            let pages = try Self.pages(own: folder)
            #expect(pages.page(Self.facts()) == "Ours: Games <form action=\"abc\">")
            #expect(pages.style == "p { color: red }")
            let faults = pages.faults.map { $0.file.replacing(folder + "/page/", with: "") }
            #expect(faults == ["head.mustache", "lost.mustache", "stop.mustache"])
            let stop = pages.page(StopPageFacts(token: "abc", isReminders: true, isOn: true))
            #expect(stop.contains("Stop all reminders</button>"))
            #expect(pages.page(LostPageFacts(isWrong: true)).contains("name=\"address\""))
        }
    }
}
