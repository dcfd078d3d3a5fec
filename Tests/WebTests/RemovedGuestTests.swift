import Agenda
import NIOHTTP1
import Planning
import Testing
import TestKit

@testable import Web

/// What the page of a person shows who was removed from a meeting.
@Suite(.timeLimit(.minutes(5))) struct RemovedGuestTests {
    /// A page with everything that a page may show of a meeting.
    private static let bareTemplate =
        [
            "<form action=\"{{token}}\">", "{{title}}", "{{organizer}}", "{{when}}",
            "{{whenThere}}", "{{place}}", "{{map}}", "{{{mapDrawing}}}", "{{mapSource}}",
            "{{repeats}}", "{{link}}", "{{note}}", "{{coming}}", "{{going}}", "{{maybe}}",
            "{{#dates}}{{dateWhen}}{{datePlace}}{{/dates}}",
        ].joined(separator: "\n")

    /// Words of everything that guests see of the meeting below.
    private static let words = [
        "Games", "Olga Owner", "Sat 5 December 2026", "18:00", "Sat 12 December 2026",
        "every week", "Chess Palace", "mlat=60.17", "<svg class=\"map\"",
        "https://video.example.org/k7", "Door code 4711", "5 going", "ben +3", "1 maybe",
        "Quentin Xu",
    ]

    /// A custom template has no sections that hide something, so its variables must be empty.
    @Test(arguments: [nil, bareTemplate])
    func `A person who was removed is shown no part of the meeting`(
        _ template: String?
    ) async throws {
        try await GuestSite.with(template: template) { site in
            let planner = site.planner
            _ = try await planner.addPlace("Chess Palace", near: "60.17,24.94", address: "")
            try await planner.add("Quentin Xu", "quentin@example.org")
            _ = try await planner.edit("Games") { edit in
                edit.place = "Chess Palace"
                edit.link = "https://video.example.org/k7"
                edit.note = "Door code 4711"
            }
            _ = try await planner.edit("Games") { $0.repetition = "weekly, 3 times" }
            _ = try await planner.invite(["Quentin Xu"], to: "Games", saving: true)
            for (who, answer, plus) in [
                ("ben@example.org", Answer.going, 3), ("Quentin Xu", .maybe, 0),
            ] {
                _ = try await planner.answer(
                    "Games", answer, who: who, plus: plus, note: nil, saving: true)
            }
            let link = try await site.link("anna@example.org")
            let shown = await site.ask(link).text
            for word in Self.words { #expect(shown.contains(word), "\(word) in \(shown)") }
            _ = try await planner.uninvite(["anna@example.org"], from: "Games", saving: true)
            for query in ["", "?answer=yes", "?saved=1", "?date=20261212T180000"] {
                for form in [nil, "answer=yes&plus=1&note=Hi"] {
                    let page = await site.ask(link + query, form)
                    #expect(page.status == (form == nil ? .ok : .conflict))
                    #expect(
                        template != nil
                            || page.text.contains("You're no longer invited to this meeting"))
                    for word in Self.words {
                        #expect(!page.text.contains(word), "\(word) at \(query)")
                    }
                }
            }
            for query in ["", "?date=20261212T180000"] {
                let file = await site.ask(link + "/meeting.ics" + query)
                #expect(file.status == .notFound)
            }
        }
    }

    @Test func `A person who was removed from one date is shown no part of that date`() async throws
    {
        try await GuestSite.with { site in
            let planner = site.planner
            let dates = try await planner.edit("Games") { $0.repetition = "weekly, 3 times" }
                .meeting.dates
            let second = try #require(dates.dropFirst().first?.occurrence)
            _ = try await planner.uninvite(
                ["anna@example.org"], from: "Games", on: second, saving: true)
            _ = try await planner.edit("Games") { edit in
                edit.date = "2026-12-12"
                edit.place = "Cellar"
            }
            let link = try await site.link("anna@example.org")
            #expect(await site.ask(link).text.contains("Sat 5 December 2026"))
            for form in [nil, "answer=yes"] {
                let page = await site.ask(link + "?date=\(second)", form)
                #expect(page.status == (form == nil ? .ok : .conflict))
                #expect(page.text.contains("You're no longer invited to this meeting"))
                for word in ["Games", "Olga", "December", "18:00", "Cellar", "ben"] {
                    #expect(!page.text.contains(word), "\(word)")
                }
            }
        }
    }
}
