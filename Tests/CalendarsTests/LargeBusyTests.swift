import Agenda
import Calendars
import FoundationEssentials
import Interchange
import Planning
import Settings
import Synchronization
import Testing
import TestKit
import Timekeeping

/// Calendars of busy times that are too large, or that cannot be read in full.
@Suite(.timeLimit(.minutes(5))) struct LargeBusyTests {
    private static func calendar(_ count: Int, _ more: String = "") -> String {
        let events = (0..<count).map { number in
            let start = "20261202T\(10 + number % 9)\(10 + number % 50)00Z"
            return "BEGIN:VEVENT\r\nUID:\(number)\r\nDTSTART:\(start)\r\nDURATION:PT1M\r\n\(more)"
                + "END:VEVENT\r\n"
        }
        return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(events.joined())END:VCALENDAR\r\n"
    }

    @Test(arguments: [
        (25_001, "", "It has 25001 events, and at most 25000 are read."),
        (
            5001, "RRULE:FREQ=DAILY\r\n",
            "It has 5001 recurrence rules, and at most 5000 are read."
        ),
        (60, "RRULE:FREQ=MINUTELY;INTERVAL=7\r\n", "It has more than 100000 busy times."),
        (1, "RRULE:FREQ=MINUTELY;INTERVAL=3\r\n", "It has more than 100000 busy times."),
    ])
    func `A calendar file that is too large is refused with the number`(
        _ count: Int, _ rule: String, _ reason: String
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let path = world.home.path + "/big.ics"
            try Self.calendar(count, rule).write(toFile: path, atomically: true, encoding: .utf8)
            let refused = await refusal { _ = try await planner.importBusyCalendar(path, of: nil) }
            #expect(refused?.code == "nothing_read")
            #expect(refused?.message.hasSuffix(reason) == true, "\(refused?.message ?? "")")
            #expect(try await planner.busyCalendars().isEmpty)
        }
    }

    @Test func `A calendar on the web that becomes too large keeps its last busy times`()
        async throws
    {
        let text = Mutex(Self.calendar(3))
        let server = try FakeHTTPServer { _ in
            FakeAnswer(200, body: Array(text.withLock(\.self).utf8))
        }
        defer { server.stop() }
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: [.webhookAllow: "127.0.0.1"])
            let added = try await planner.addBusyCalendar(at: server.url, of: nil)
            #expect(added.busy == 3)
            text.withLock { $0 = Self.calendar(25_001) }
            world.clock.advance(bySeconds: 1800)
            let report = try await planner.refreshBusyCalendars()
            #expect(report.read == 0 && report.failures.count == 1)
            let kept = try #require(try await planner.busyCalendars().first)
            #expect(kept.busy == 3)
            #expect(kept.failure?.contains("It has 25001 events") == true)
        }
    }

    @Test func `A calendar that is too large is read again at growing intervals up to a day`()
        async throws
    {
        let text = Mutex(Self.calendar(3))
        let server = try FakeHTTPServer { _ in
            FakeAnswer(200, body: Array(text.withLock(\.self).utf8))
        }
        defer { server.stop() }
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: [.webhookAllow: "127.0.0.1"])
            _ = try await planner.addBusyCalendar(at: server.url, of: nil)
            text.withLock { $0 = Self.calendar(1, String(repeating: "RRULE:\r\n", count: 5001)) }
            var tries: [Int] = []
            for halfHour in 1...(2 * 96) {
                world.clock.advance(bySeconds: 1800)
                let report: BusyRefreshReport = try await planner.refreshBusyCalendars()
                if !report.failures.isEmpty { tries.append(halfHour) }
            }
            #expect(tries == [1, 2, 4, 8, 16, 32, 64, 112, 160])
            let state: BusyCalendarView = try #require(try await planner.busyCalendars().first)
            #expect(state.failure?.contains("5001 recurrence rules") == true)
            #expect(state.retry != nil)
            // By hand, it is read at once.
            #expect(try await planner.refreshBusyCalendars(isForced: true).failures.count == 1)
            text.withLock { $0 = Self.calendar(2) }
            #expect(try await planner.refreshBusyCalendars(isForced: true).read == 1)
            let good: BusyCalendarView = try #require(try await planner.busyCalendars().first)
            #expect(good.failure == nil && good.retry == nil)
        }
    }

    @Test func `What a calendar says that cannot be read is listed until a version without it`()
        async throws
    {
        let body = Mutex(BusyTests.calendar(BusyTests.event("02", 10, "EXRULE:FREQ=DAILY")))
        let server = try FakeHTTPServer { _ in
            FakeAnswer(200, body: Array(body.withLock(\.self).utf8))
        }
        defer { server.stop() }
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: [.webhookAllow: "127.0.0.1"])
            let added = try await planner.addBusyCalendar(at: server.url, of: nil)
            #expect(added.remarks.count == 1 && added.remarks[0].hasPrefix("EXRULE is not read"))
            #expect(try await planner.busyCalendars().map(\.remarks) == [added.remarks])
            let report = try await planner.refreshBusyCalendars(isForced: true)
            #expect(report.remarks == ["\(planner.owner.name): \(added.remarks[0])"])
            #expect(report.words.hasSuffix(report.remarks[0]))
            body.withLock { $0 = BusyTests.calendar(BusyTests.event("02", 10)) }
            #expect(try await planner.refreshBusyCalendars(isForced: true).remarks == [])
            #expect(try await planner.busyCalendars().map(\.remarks) == [[]])
        }
    }
}
