import Agenda
import Ledger
import NIOHTTP1
import Planning
import TestKit
import Testing

@testable import Web

/// The page of a meeting for everybody who has its link.
@Suite(.timeLimit(.minutes(5))) struct SharedMeetingTests {
    private func share(_ site: GuestSite, _ change: LinkChange = .none) async throws -> String? {
        let id = try await site.planner.meetingID(named: "Games")
        return try await site.planner.shareLink(of: id, change: change).url.map {
            String($0.dropFirst("https://meet.example.org".count))
        }
    }

    @Test func `Everybody with the link sees the meeting, without names and addresses of guests`()
        async throws
    {
        try await GuestSite.with { site in
            _ = try await site.planner.answer(
                "Games", .going, who: "anna@example.org", plus: 1, note: "secret", saving: true)
            let link = try #require(try await share(site))
            #expect(link.hasPrefix("/g/s/"))
            let page = await site.ask(link)
            #expect(page.status == .ok)
            #expect(page.text.contains("Games") && page.text.contains("Sat 5 December 2026"))
            #expect(page.text.contains("Europe/Helsinki") && page.text.contains("Olga Owner"))
            #expect(page.text.contains("going") && page.text.contains("../style.css"))
            for secret in ["anna", "ben@", "example.org", "secret", "<form"] {
                #expect(!page.text.contains(secret), "\(secret)")
            }
            #expect(page.fields.contains { $0.name == "X-Robots-Tag" })
            let file = await site.ask(link + "/meeting.ics")
            #expect(file.text.contains("SUMMARY:Games") && file.text.contains("DTSTART"))
            #expect(!file.text.contains("ATTENDEE") && !file.text.contains("example.org"))
            #expect(await site.ask("/g/s/style.css").text.contains("{"))
            #expect(await site.ask(link, "answer=yes").status == .notFound)
            #expect(await site.ask(link + "/other").status == .notFound)
        }
    }

    @Test func `A page for everybody shows the place of the next date, and no link to join`()
        async throws
    {
        try await GuestSite.with { site in
            var request = MeetingRequest()
            request.title = "Choir"
            request.with = ["anna@example.org"]
            request.start = "2026-12-08T18:00"
            request.repetition = "FREQ=WEEKLY;COUNT=4"
            request.place = "Town hall"
            request.link = "https://video.example.com/room"
            request.note =
                "Bring water. meet.google.com/zoom-abc https://us02.zoom.us/j/1 "
                + "https://video.example.com/room?a"
            let id = MeetingID(
                text: try await site.planner.createMeeting(request, saving: true).meeting.id)
            var edit = MeetingEdit()
            edit.place = "Library"
            edit.date = "2026-12-08"
            _ = try await site.planner.editMeeting(id, edit, saving: true)
            _ = try await site.planner.cancelMeeting(id, on: "2026-12-15", saving: true)
            let url = try #require(try await site.planner.shareLink(of: id, change: .none).url)
            let link = String(url.dropFirst("https://meet.example.org".count))
            let page = await site.ask(link).text
            #expect(page.contains("<strong>Library</strong>") && page.contains("Bring water"))
            #expect(page.contains("Tue 22 December 2026") && page.contains("Town hall"))
            let cancelled = page.split(separator: "\n").filter { $0.contains("cancelled") }
            #expect(cancelled.count == 1 && cancelled[0].contains("Tue 15 December 2026"))
            #expect(!page.contains("video"))
            #expect(!page.contains("zoom"))
            let file = await site.ask(link + "/meeting.ics").text
            #expect(file.contains("RRULE") && !file.contains("video"))
            #expect(!file.contains("zoom"))
            let guest = try await site.planner.knownPerson(named: "anna@example.org")
            let own = try await site.planner.acting(as: guest).guestLinks(
                of: id, to: [guest], change: .none)
            let path = "/g/" + String(try #require(own.links.first?.url).suffix(32))
            #expect(await site.ask(path).text.contains("<strong>Library</strong>"))
        }
    }

    @Test func `A place that is a web address is not shown to everybody`() async throws {
        try await GuestSite.with { site in
            var request = MeetingRequest()
            (request.title, request.start) = ("Talk", "2026-12-08T18:00")
            request.place = "https://calls.example.com/1"
            let id = MeetingID(
                text: try await site.planner.createMeeting(request, saving: true).meeting.id)
            let url = try #require(try await site.planner.shareLink(of: id, change: .none).url)
            let link = String(url.dropFirst("https://meet.example.org".count))
            #expect(await !site.ask(link).text.contains("calls.example"))
            #expect(await !site.ask(link + "/meeting.ics").text.contains("calls.example"))
        }
    }

    @Test func `A link for everybody is kept, replaced and revoked`() async throws {
        try await GuestSite.with { site in
            #expect(try await share(site, .looked) == nil)
            let first = try #require(try await share(site))
            #expect(try await share(site) == first)
            #expect(try await share(site, .looked) == first)
            let second = try #require(try await share(site, .renewed))
            #expect(second != first)
            #expect(await site.ask(first).status == .notFound)
            #expect(await site.ask(second).status == .ok)
            #expect(try await share(site, .revoked) == nil)
            #expect(await site.ask(second).status == .notFound)
            #expect(await site.ask(second + "/meeting.ics").status == .notFound)
            let third = try #require(try await share(site))
            #expect(![first, second].contains(third))
        }
    }

    @Test func `Only the organizer and the owner make a link for everybody`() async throws {
        try await GuestSite.with { site in
            let id = try await site.planner.meetingID(named: "Games")
            let anna = try await site.planner.knownPerson(named: "anna@example.org")
            let code = await refusalCode {
                _ = try await site.planner.acting(as: anna).shareLink(of: id, change: .none)
            }
            #expect(code == "not_organizer")
        }
    }

    @Test func `A cancelled meeting says so, and a guest's link is no link for everybody`()
        async throws
    {
        try await GuestSite.with { site in
            let link = try #require(try await share(site))
            let own = try await site.link("anna@example.org")
            #expect(await site.ask(own.replacing("/g/", with: "/g/s/")).status == .notFound)
            #expect(await site.ask(link.replacing("/g/s/", with: "/g/")).status == .notFound)
            _ = try await site.planner.cancelMeeting("Games", saving: true)
            let page = await site.ask(link)
            #expect(page.text.contains("This meeting was cancelled."))
            #expect(!page.text.contains("meeting.ics"))
        }
    }
}
