import Agenda
import Calendars
import Foundation
import Planning
import Settings
import Synchronization
import TestKit
import Testing
import Timekeeping

/// Tests of busy calendars, searches for free times, and conflicts.
@Suite(.timeLimit(.minutes(5))) struct BusyTests {
    static func calendar(_ events: String...) -> String {
        (["BEGIN:VCALENDAR"] + events + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
    }

    static func event(_ day: String, _ hour: Int, _ lines: String...) -> String {
        ([
            "BEGIN:VEVENT", "SUMMARY:Secret", "DTSTART:202612\(day)T\(hour)0000Z", "DURATION:PT1H",
        ] + lines + ["END:VEVENT"]).joined(separator: "\r\n")
    }

    /// A planner that may connect to this machine, with Anna in Berlin and Ben in New York.
    private func planner(_ world: TestWorld) async throws -> Planner {
        let planner = try await world.planner(
            settings: [.webhookAllow: "127.0.0.1", .ownerZone: "Europe/Berlin"])
        for (name, zone) in [("Anna", "Europe/Berlin"), ("Ben", "America/New_York")] {
            var edit = ContactEdit()
            (edit.name, edit.zone) = (name, zone)
            edit.emails = ["\(name.lowercased())@example.org"]
            _ = try await planner.addPerson(edit)
        }
        return planner
    }

    @Test func `An event that is a meeting of somebody else keeps its person busy`() async throws {
        try await withTemporaryHome { world in
            let planner = try await planner(world)
            let path = world.home.path + "/work.ics"
            try Self.calendar(Self.event("02", 10, "UID:shared@example.org"))
                .write(toFile: path, atomically: true, encoding: .utf8)
            #expect(try await planner.importCalendars([path]).imported == 1)
            #expect(try await planner.importBusyCalendar(path, of: "Anna").busy == 1)
            // It is the owner's own meeting, of which they know.
            #expect(try await planner.importBusyCalendar(path, of: nil).busy == 0)
        }
    }

    @Test func `A calendar is requested with its ETag, and a failure is recorded`() async throws {
        let body = Mutex(Self.calendar(Self.event("02", 10)))
        let server = try FakeHTTPServer { request in
            let text = body.withLock(\.self)
            switch request.path {
            case "/old.ics":
                return FakeAnswer(301, headers: [(name: "Location", value: "/new.ics")], body: [])
            case _ where text.isEmpty: return FakeAnswer(500, body: [])
            case _ where request.headers["if-none-match"] == "\"\(text.count)\"":
                return FakeAnswer(304, body: [])
            default:
                return FakeAnswer(
                    200, headers: [(name: "ETag", value: "\"\(text.count)\"")],
                    body: Array(text.utf8))
            }
        }
        defer { server.stop() }
        try await withTemporaryHome { world in
            let planner = try await planner(world)
            let added = try await planner.addBusyCalendar(at: server.url + "/old.ics", of: "Anna")
            #expect(added.busy == 1 && added.host == "127.0.0.1" && added.failure == nil)
            #expect(try await planner.refreshBusyCalendars().words.hasPrefix("nothing to do"))
            world.clock.advance(bySeconds: 1800)
            #expect(try await planner.refreshBusyCalendars().unchanged == 1)
            body.withLock { $0 = Self.calendar(Self.event("02", 10), Self.event("03", 10)) }
            world.clock.advance(bySeconds: 1800)
            #expect(try await planner.refreshBusyCalendars().read == 1)
            #expect(try await planner.busyCalendars().map(\.busy) == [2])
            body.withLock { $0 = "" }
            world.clock.advance(bySeconds: 1800)
            let report = try await planner.refreshBusyCalendars()
            #expect(report.failures == ["Anna: 127.0.0.1 answered 500."])
            let kept = try await planner.busyCalendars()
            #expect(kept.map(\.busy) == [2] && kept.map(\.failure) == ["127.0.0.1 answered 500."])
            // A forced refresh reads the calendar at once.
            body.withLock { $0 = Self.calendar(Self.event("04", 10)) }
            #expect(try await planner.refreshBusyCalendars(isForced: true).read == 1)
            #expect(try await planner.busyCalendars().map(\.failure) == [nil])
            _ = try await planner.removeBusyCalendars([added.id])
            #expect(try await planner.busyCalendars().isEmpty)
        }
    }

    @Test func `Forbidden addresses and answers that are not calendars are refused`() async throws {
        let server = try FakeHTTPServer { request in
            switch request.path {
            case "/page": FakeAnswer(200, body: Array("<html>Sign in</html>".utf8))
            case "/loop": FakeAnswer(302, headers: [(name: "Location", value: "/loop")], body: [])
            case "/file":
                FakeAnswer(
                    302, headers: [(name: "Location", value: "file:///etc/passwd")], body: [])
            case "/inside":
                FakeAnswer(
                    302, headers: [(name: "Location", value: "http://127.0.0.2:1/")], body: [])
            case "/large":
                FakeAnswer(200, body: Array(repeating: UInt8(ascii: "x"), count: 11 << 20))
            default: FakeAnswer(404, body: [])
            }
        }
        defer { server.stop() }
        try await withTemporaryHome { world in
            let planner = try await planner(world)
            for (path, words) in [
                ("/page", "is not a calendar"), ("/loop", "too many times"),
                ("/file", "redirects to an invalid address"), ("/inside", "LETSMEET_WEBHOOK_ALLOW"),
                ("/large", "larger than"), ("/gone", "answered 404"),
            ] {
                let refusal = await refusal {
                    _ = try await planner.addBusyCalendar(at: server.url + path, of: nil)
                }
                #expect(refusal?.code == "unreachable_calendar", "\(path)")
                #expect(refusal?.message.contains(words) == true, "\(refusal?.message ?? "")")
            }
            let wrong = await refusal {
                _ = try await planner.addBusyCalendar(at: "ftp://example.org/a", of: nil)
            }
            #expect(wrong?.code == "bad_url")
            let anna = try await world.planner(
                settings: [.webhookAllow: "127.0.0.1"], actingAs: "Anna")
            _ = try await anna.add("Ben", "ben@example.org")
            let others = await refusal {
                _ = try await anna.addBusyCalendar(at: server.url, of: "Ben")
            }
            #expect(others?.code == "not_allowed")
            #expect(try await planner.busyCalendars().isEmpty)
        }
    }

    @Test func `A calendar removed during a read stays removed, and a partial one is ignored`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await planner(world)
            let text = Self.calendar(Self.event("02", 10), Self.event("03", 10))
            let removed = Mutex<(@Sendable () -> Void)?>(nil)
            let length = Mutex(text.utf8.count)
            let server = try FakeHTTPServer { _ in
                removed.withLock(\.self)?()
                return FakeAnswer(200, body: Array(text.utf8.prefix(length.withLock(\.self))))
            }
            defer { server.stop() }
            let added = try await planner.addBusyCalendar(at: server.url, of: "Anna")
            // The same address means the same calendar.
            #expect(try await planner.addBusyCalendar(at: server.url, of: "Anna").id == added.id)
            length.withLock { $0 -= 30 }
            let cut = try await planner.refreshBusyCalendars(isForced: true)
            #expect(cut.failures == ["Anna: 127.0.0.1 sent an incomplete calendar."])
            #expect(try await planner.busyCalendars().map(\.busy) == [2])
            length.withLock { $0 += 30 }
            removed.withLock { removed in
                removed = {
                    let done = DispatchSemaphore(value: 0)
                    Task {
                        _ = try await planner.removeBusyCalendars([added.id])
                        done.signal()
                    }
                    done.wait()
                }
            }
            #expect(try await planner.refreshBusyCalendars(isForced: true).read == 1)
            #expect(try await planner.busyCalendars().isEmpty)
        }
    }

    @Test func `A calendar ignores meetings known here, and events declined with any address`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await planner(world)
            var edit = ContactEdit()
            edit.emails = ["anna@example.org", "anna@work.example"]
            _ = try await planner.editPerson("Anna", edit)
            var request = MeetingRequest()
            (request.title, request.with) = ("Games", ["Anna"])
            request.start = "2026-12-02T15:00Z"
            let made = try await planner.createMeeting(request, saving: true)
            let own = String(
                decoding: try await planner.exportMeeting(
                    try await planner.meetingID(named: "Games")), as: UTF8.self)
            let declined = Self.event(
                "03", 10, "UID:x", "ATTENDEE;PARTSTAT=DECLINED:mailto:anna@work.example")
            let path = world.home.path + "/own.ics"
            try (own + Self.calendar(declined)).write(
                toFile: path, atomically: true, encoding: .utf8)
            #expect(try await planner.importBusyCalendar(path, of: "Anna").busy == 0)
            var later = MeetingEdit()
            later.start = "2026-12-02T15:30Z"
            let moved = try await planner.editMeeting(made.meeting.id, later, saving: true)
            #expect(moved.conflicts.isEmpty)
            // The two parts of a split series do not conflict with each other.
            (request.title, request.start) = ("Choir", "2026-12-01T14:00Z")
            request.repetition = "weekly"
            _ = try await planner.createMeeting(request, saving: true)
            var rest = MeetingEdit()
            (rest.from, rest.start) = ("2026-12-15", "2026-12-15T14:30Z")
            let split = try await planner.editMeeting("Choir", rest, saving: false)
            #expect(split.conflicts.isEmpty)
        }
    }

    @Test func `A feed of busy times shows when a person is busy, without details`() async throws {
        try await withTemporaryHome { world in
            let planner = try await planner(world)
            let path = world.home.path + "/anna.ics"
            try Self.calendar(Self.event("02", 14), Self.event("02", 15, "STATUS:TENTATIVE"))
                .write(toFile: path, atomically: true, encoding: .utf8)
            let feed = try await planner.addFeed(
                of: "Anna", hasAlarms: false, isBusyOnly: true
            ).feed
            let token = String(
                try #require(feed.path).dropFirst("/cal/".count).dropLast(".ics".count))
            let before = try #require(try await planner.feed(by: token))
            let known = try await planner.content(of: before, besides: nil)
            #expect(!String(decoding: known.octets, as: UTF8.self).contains("FREEBUSY;"))
            _ = try await planner.importBusyCalendar(path, of: "Anna")
            var request = MeetingRequest()
            (request.title, request.with) = ("Games", ["Anna"])
            request.start = "2026-12-03T14:00Z"
            _ = try await planner.createMeeting(request, saving: true)
            let read = try #require(try await planner.feed(by: token))
            #expect(!known.isOf(read))
            let content = try await planner.content(of: read, besides: known)
            let lines = String(decoding: content.octets, as: UTF8.self)
                .split(separator: "\r\n").filter { $0.hasPrefix("FREEBUSY") }
            #expect(
                lines == [
                    "FREEBUSY;FBTYPE=BUSY:20261202T140000Z/20261202T150000Z",
                    "FREEBUSY;FBTYPE=BUSY-TENTATIVE:20261202T150000Z/20261202T160000Z",
                    "FREEBUSY;FBTYPE=BUSY-TENTATIVE:20261203T140000Z/20261203T150000Z",
                ])
        }
    }

    @Test func `A search up to the end of the year 9999 finds times`() async throws {
        try await withTemporaryHome(now: "9999-12-29T12:00:00Z") { world in
            let planner = try await planner(world)
            var request = FreeTimeRequest()
            request.people = try await planner.peopleToMeet(named: ["Anna"])
            request.until = "9999-12-31 23:59"
            request.hours = [try WeekSpan.parse("9:00-21:00")]
            #expect(try await planner.freeTimes(request).slots.count > 3)
        }
    }

    @Test func `A search finds times for people in two time zones, or names who cannot come`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await planner(world)
            try Self.calendar(
                Self.event("02", 14), Self.event("02", 15, "STATUS:TENTATIVE"),
                Self.event("02", 16, "TRANSP:TRANSPARENT"), Self.event("02", 18)
            ).write(toFile: world.home.path + "/anna.ics", atomically: true, encoding: .utf8)
            let path = world.home.path + "/anna.ics"
            let calendar = try await planner.importBusyCalendar(path, of: "Anna")
            #expect(calendar.busy == 2 && calendar.tentative == 1 && calendar.file == "anna.ics")
            let again = try await planner.importBusyCalendar(path, of: "Anna")
            #expect(again.id == calendar.id)
            var lunch = MeetingRequest()
            (lunch.title, lunch.with) = ("Lunch", ["Ben"])
            lunch.start = "2026-12-02T17:00Z"
            _ = try await planner.createMeeting(lunch, saving: true)
            var request = FreeTimeRequest()
            request.people = try await planner.peopleToMeet(named: ["Anna", "Ben"])
            (request.from, request.until) = ("2026-12-02T00:00", "2026-12-03T00:00")
            request.hours = [try WeekSpan.parse("9:00-20:00")]
            let all = try await planner.freeTimes(request)
            // Ben has not answered the invitation to lunch yet.
            #expect(
                all.slots.map { "\($0.start.text) \($0.unsure.map(\.words))" } == [
                    "2026-12-02T17:00:00+01:00 []",
                    "2026-12-02T16:00:00+01:00 [\"Anna may be busy from 16:00 to 17:00\"]",
                    "2026-12-02T18:00:00+01:00 [\"Ben may be busy from 18:00 to 19:00\"]",
                ])
            #expect(all.slots.first?.local.map(\.words) == ["11:00 (America/New_York)"])
            #expect(all.people.map(\.known) == [true, false])
            #expect(all.remarks.count == 1)
            #expect(all.remarks.first?.text.hasPrefix("No calendar is known for Ben.") == true)
            request.hours = [try WeekSpan.parse("9:00-15:30")]
            let some = try await planner.freeTimes(request)
            #expect(some.slots.allSatisfy { $0.free == 1 && $0.missing.count == 1 })
            #expect(some.slots.first?.missing.first?.words == "it is 08:00 for Ben")
            request.quorum = 2
            let none = try await planner.freeTimes(request)
            #expect(none.slots.isEmpty)
            #expect(none.remarks.contains("There is no time at which 2 of them can come."))
            #expect(none.remarks.last?.text.contains("The closest time is") == true)
            request.until = "2026-12-01T00:00"
            #expect(await refusal { _ = try await planner.freeTimes(request) }?.code == "bad_range")
            request.people = []
            #expect(await refusal { _ = try await planner.freeTimes(request) }?.code == "usage")
        }
    }

    @Test func `An imported event makes its person busy as the calendar file says`() async throws {
        try await withTemporaryHome { world in
            let planner = try await planner(world)
            let day = "DTSTART;VALUE=DATE:202612"
            func event(_ uid: String, _ lines: String...) -> String {
                (["BEGIN:VEVENT", "UID:\(uid)", "SUMMARY:S", "DTSTAMP:20261101T000000Z"] + lines
                    + ["END:VEVENT"]).joined(separator: "\r\n")
            }
            let path = world.home.path + "/mine.ics"
            try Self.calendar(
                event("a", day + "02"), event("b", day + "03", "TRANSP:OPAQUE"),
                event("c", "DTSTART:20261204T080000Z", "DURATION:PT9H", "TRANSP:TRANSPARENT"),
                event("d", "DTSTART:20261205T080000Z", "DURATION:PT9H"),
                event("e", "DTSTART:20261206T080000Z", "DURATION:PT9H", "STATUS:TENTATIVE")
            ).write(toFile: path, atomically: true, encoding: .utf8)
            #expect(try await planner.importCalendars([path]).imported == 5)
            var busy: [String] = []
            for day in ["02", "03", "04", "05", "06"] {
                var lunch = MeetingRequest()
                (lunch.title, lunch.with) = ("Lunch", ["Ben"])
                lunch.start = "2026-12-\(day)T12:00"
                let outcome = try await planner.createMeeting(lunch, saving: false)
                busy += outcome.conflicts.map { "\(day) \($0.kind)" }
            }
            #expect(busy == ["03 hard", "05 hard", "06 soft"])
        }
    }

    @Test func `People who are busy are named when a meeting is created or moved`() async throws {
        try await withTemporaryHome { world in
            let planner = try await planner(world)
            let path = world.home.path + "/anna.ics"
            try Self.calendar(Self.event("02", 14)).write(
                toFile: path, atomically: true, encoding: .utf8)
            _ = try await planner.importBusyCalendar(path, of: "Anna")
            var request = MeetingRequest()
            (request.title, request.with) = ("Games", ["Anna", "Ben"])
            request.start = "2026-12-02T15:30"
            let made = try await planner.createMeeting(request, saving: true)
            #expect(made.conflicts.map(\.words) == ["Anna is busy from 15:00 to 16:00."])
            #expect(made.conflicts.map(\.kind) == ["hard"])
            #expect(made.remarks.contains("Anna is busy from 15:00 to 16:00."))
            var edit = MeetingEdit()
            edit.start = "2026-12-02T16:00"
            let moved = try await planner.editMeeting("Games", edit, saving: true)
            #expect(moved.conflicts.isEmpty)
            // A second meeting at the same time: Ben has not accepted the first one yet.
            request.title = "Chess"
            request.with = ["Ben"]
            request.start = "2026-12-02T16:30"
            let second = try await planner.createMeeting(request, saving: false)
            #expect(
                second.conflicts.map(\.words) == [
                    "You are busy from 16:00 to 17:00.", "Ben may be busy from 16:00 to 17:00.",
                ])
            #expect(second.conflicts.map(\.kind) == ["hard", "soft"])
            request.title = "Choir"
            request.start = "2026-12-01T14:30"
            request.repetition = "daily"
            request.with = ["Anna"]
            let series = try await planner.createMeeting(request, saving: true)
            #expect(series.conflicts.map(\.occurrence) == ["20261202T143000"])
        }
    }

    @Test func `Many conflicts of a series are one remark, in which each day stands once`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await planner(world)
            var request = MeetingRequest()
            (request.title, request.with) = ("Retreat", ["Ben"])
            (request.start, request.duration) = ("2026-12-02T08:00", TimeSpan(days: 3, seconds: 0))
            _ = try await planner.createMeeting(request, saving: true)
            (request.title, request.with) = ("Choir", ["Anna"])
            (request.start, request.duration) = (
                "2026-12-02T12:00", TimeSpan(days: 0, seconds: 600)
            )
            func remarks(_ rule: String) async throws -> [String] {
                request.repetition = rule
                return try await planner.createMeeting(request, saving: false).remarks
                    .map(\.text).filter { $0.contains("busy") }
            }
            #expect(
                try await remarks("FREQ=HOURLY;COUNT=4") == [
                    "You are busy on all of the next 4 dates: Wed 2 December 2026."
                ])
            #expect(
                try await remarks("daily 2 times") == [
                    "You are busy on all of the next 2 dates: Wed 2 December 2026, "
                        + "Thu 3 December 2026."
                ])
        }
    }
}
