import Agenda
import Calendars
import Planning
import TestKit
import Testing

/// The feed of the birthdays of one's contacts.
@Suite struct BirthdayFeedTests: ReadsFeeds {
    @Test func `A feed of birthdays repeats each one yearly as a whole day, and follows changes`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            for (name, birthday) in [
                ("Anna Aalto", "1990-04-12"), ("Ben Berg", "02-29"), ("Cat Coe", "2000-02-29"),
            ] { try await planner.add(name, birthday: birthday) }
            try await planner.add("Dora Dahl", "dora@example.org")
            try await plan("Lunch", "2026-12-05T12:00", planner)
            let feed = try await planner.addBirthdayFeed().feed
            #expect(feed.birthdays && !feed.busyOnly)
            let seen = try await lines(feed, planner)
            #expect(
                titles(seen) == ["Birthday: Ben Berg", "Birthday: Cat Coe", "Birthday: Anna Aalto"])
            #expect(
                seen.filter { $0.hasPrefix("DTSTART") || $0.hasPrefix("RRULE") } == [
                    "DTSTART;VALUE=DATE:20250228", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1",
                    "DTSTART;VALUE=DATE:20000229", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1",
                    "DTSTART;VALUE=DATE:19900412", "RRULE:FREQ=YEARLY",
                ])
            #expect(seen.filter { $0 == "TRANSP:TRANSPARENT" }.count == 3)
            #expect(seen.contains("X-WR-CALNAME:Birthdays") && !seen.contains("BEGIN:VTIMEZONE"))
            let token = try #require(feed.path).dropFirst("/cal/".count).dropLast(".ics".count)
            let read = try #require(try await planner.feed(by: String(token)))
            let content = try await planner.content(of: read, besides: nil)
            var edit = ContactEdit()
            edit.birthday = "1991-04-12"
            _ = try await planner.editPerson(try await planner.person(named: "Anna"), edit)
            let next = try #require(try await planner.feed(by: String(token)))
            #expect(content.isOf(read) && !content.isOf(next))
        }
    }

    @Test func `A member's feed of birthdays shows their own contacts alone, in their language`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna Aalto", "anna@example.org")
            try await planner.add("Ben Berg", birthday: "1990-04-12")
            var edit = ContactEdit()
            edit.language = "de"
            _ = try await planner.editPerson(try await planner.person(named: "Anna"), edit)
            let anna = try await world.planner(actingAs: "Anna")
            try await anna.add("Emil Ekberg", birthday: "12.5.")
            let feed = try await anna.addBirthdayFeed().feed
            #expect(titles(try await lines(feed, planner)) == ["Geburtstag: Emil Ekberg"])
        }
    }
}

extension Planner {
    fileprivate func add(_ name: String, birthday: String) async throws {
        var edit = ContactEdit()
        edit.name = name
        edit.birthday = birthday
        _ = try await addPerson(edit)
    }
}
