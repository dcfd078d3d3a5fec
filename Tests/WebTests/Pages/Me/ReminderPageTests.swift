import Agenda
import NIOHTTP1
import Planning
import TestKit
import Testing

@testable import Web

/// The reminders, quiet hours and digests of an account.
@Suite(.timeLimit(.minutes(5))) struct ReminderPageTests {
    /// The fields of the form as they are for somebody without choices.
    private static let before =
        "was-choice=each&was-reminders=&was-hours=default&was-quiet=&was-windows="
        + "&was-digest=none&was-birthdays=1"

    private func withBen(
        _ body: (TestSite, TestSite.Browser, Planner) async throws -> Void
    ) async throws {
        try await TestSite.with { site in
            _ = try await site.planner.add("Ben", "ben@example.org")
            let browser = try await site.browser(of: "Ben")
            let person: Person = try await site.planner.knownPerson(named: "Ben")
            try await body(site, browser, site.planner.acting(as: person))
        }
    }

    private func chosen(by planner: Planner) async throws -> PolicyView {
        try await planner.policy(of: planner.actor)
    }

    @Test func `The form sets everything, and says what it means before`() async throws {
        try await withBen { site, browser, ben in
            try await site.plan(with: ["ben@example.org"])
            let page = await browser.open("/me/reminders").text
            #expect(page.contains("You are reminded at the times that the organizer of each"))
            let form =
                "choice=own&reminders=1d+3h&hours=own&quiet=22:00-08:00%3B+sun"
                + "&windows=mon-fri+09:00-18:00&digest=weekly&\(Self.before)"
            let preview = await browser.submit("/me/reminders", form + "&do=preview")
            #expect(preview.status == .ok && preview.text.contains("If you save this"))
            #expect(preview.text.contains("No messages 22:00-08:00; sun."))
            #expect(preview.text.contains("class=\"tell\""))
            #expect(try await chosen(by: ben).reminders == nil)
            let saved = await browser.submit("/me/reminders", form + "&do=save")
            #expect(saved.field("Location") == "/me/reminders?saved=me")
            let policy = try await chosen(by: ben)
            #expect(policy.reminders == ["P1D", "PT3H"])
            #expect(policy.quietHours == ["22:00-08:00", "sun"])
            #expect(policy.sendWindows == ["mon-fri 09:00-18:00"])
            #expect(policy.digest == "weekly" && !policy.birthdays)
        }
    }

    @Test func `Without own hours, those of circles and the installation hold again`()
        async throws
    {
        try await withBen { _, browser, ben in
            var edit = PolicyEdit()
            edit.quietHours = try [.parse("22:00-08:00")]
            _ = try await ben.setPolicy(edit, of: ben.actor, saving: true)
            _ = await browser.submit(
                "/me/reminders", "hours=default&quiet=&was-hours=own&was-quiet=22:00-08:00&do=save")
            #expect(try await chosen(by: ben).hoursFrom == nil)
        }
    }

    @Test(arguments: [
        ("choice=own&reminders=soon", "reminders-fault"), ("hours=own&quiet=25-99", "quiet-fault"),
        ("hours=own&windows=%3Cscript%3E", "windows-fault"),
        ("hours=own&quiet=00:00-24:00", "quiet-fault"),
    ])
    func `A value that cannot be read is refused beside its field`(
        _ form: String, _ fault: String
    ) async throws {
        try await withBen { _, browser, ben in
            let answer = await browser.submit("/me/reminders", form + "&do=save")
            #expect(answer.status == .badRequest && answer.text.contains("id=\"\(fault)\""))
            #expect(!answer.text.contains("<script>"))
            let policy = try await chosen(by: ben)
            #expect(policy.hoursFrom == nil)
        }
    }

    @Test func `A choice that another browser made meanwhile is shown before it is replaced`()
        async throws
    {
        try await withBen { _, browser, ben in
            var edit = PolicyEdit()
            edit.digest = .each(.daily)
            edit.reminders = .own([])
            _ = try await ben.setPolicy(edit, of: ben.actor, saving: true)
            let form = "digest=weekly&was-digest=none&choice=each&was-choice=each&do=save"
            let answer = await browser.submit("/me/reminders", form)
            #expect(answer.status == .conflict)
            #expect(answer.text.contains("Digest: now “daily”"))
            #expect(try await chosen(by: ben).digest == "daily")
            // The form that is shown knows the value of the other browser.
            let again = form.replacing("was-digest=none", with: "was-digest=daily")
            #expect(await browser.submit("/me/reminders", again).status == .seeOther)
            let policy = try await chosen(by: ben)
            #expect(policy.digest == "weekly" && policy.reminders == [])
        }
    }

    @Test func `A form of another site, and one without fields, change nothing`() async throws {
        try await withBen { _, browser, ben in
            let forged = await browser.submit(
                "/me/reminders", "digest=daily&do=save", [("Sec-Fetch-Site", "cross-site")])
            #expect(forged.status == .forbidden)
            #expect(await browser.submit("/me/reminders", "do=save").status == .seeOther)
            let policy = try await chosen(by: ben)
            #expect(policy.digest == nil && policy.birthdays && policy.reminders == nil)
        }
    }
}
