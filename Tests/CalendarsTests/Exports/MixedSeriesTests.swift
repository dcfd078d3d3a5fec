import Calendars
import Planning
import TestKit
import Testing

/// Series of whole days with a date at a time of day, and the reverse, in exports and feeds.
@Suite struct MixedSeriesTests: TakesCalendarFiles, ReadsFeeds {
    private static let days = [
        "DTSTART;VALUE=DATE:20270104", "RRULE:FREQ=WEEKLY;COUNT=4",
    ]
    private static let times = [
        "DTSTART;TZID=Europe/Berlin:20270104T100000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=4",
    ]

    /// Moves a date of a series.
    private func move(
        _ title: String, _ date: String, to start: String, end: String, allDay: Bool,
        _ planner: Planner
    ) async throws {
        var edit = MeetingEdit()
        (edit.date, edit.start, edit.end, edit.isAllDay) = (date, start, end, allDay)
        _ = try await planner.editMeeting(title, edit, saving: true)
    }

    /// The lines with times of each event of a file.
    private func times(_ lines: [String]) -> [[String]] {
        lines.split(separator: "BEGIN:VEVENT").dropFirst().map { event in
            event.filter { line in
                ["DTSTART", "DTEND", "RECURRENCE-ID"].contains { line.hasPrefix($0) }
            }.sorted()
        }
    }

    @Test(arguments: [false, true])
    func `A timed date of a series of whole days is named by its day`(
        _ isImported: Bool
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            if isImported {
                let text = file(event("Camp", Self.days[0], Self.days[1]))
                _ = try await take(text, planner, in: world)
            } else {
                var request = MeetingRequest()
                (request.title, request.isAllDay, request.start) = ("Camp", true, "2027-01-04")
                request.repetition = "FREQ=WEEKLY;COUNT=4"
                _ = try await planner.createMeeting(request, saving: true)
            }
            try await move(
                "Camp", "2027-01-11", to: "2027-01-11T15:00", end: "2027-01-11T16:00",
                allDay: false, planner)
            let written = times(try await exported(planner))
            #expect(written.count == 2)
            #expect(written.first?.contains("DTSTART;VALUE=DATE:20270104") == true)
            #expect(
                written.last == [
                    "DTEND;TZID=Europe/Berlin:20270111T160000",
                    "DTSTART;TZID=Europe/Berlin:20270111T150000",
                    "RECURRENCE-ID;VALUE=DATE:20270111",
                ])
            let feed = try await planner.addFeed(of: nil, hasAlarms: false).feed
            let shown = times(try await lines(feed, planner))
            #expect(shown.first?.contains("DTSTART;VALUE=DATE:20270104") == true)
            #expect(shown.last == written.last)
        }
    }

    @Test(arguments: [false, true])
    func `A date of whole days in a timed series is named by its time`(
        _ isImported: Bool
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            if isImported {
                let text = file(event("Choir", Self.times[0], Self.times[1], Self.times[2]))
                _ = try await take(text, planner, in: world)
            } else {
                var request = MeetingRequest()
                (request.title, request.start) = ("Choir", "2027-01-04T10:00")
                request.repetition = "FREQ=WEEKLY;COUNT=4"
                _ = try await planner.createMeeting(request, saving: true)
            }
            try await move(
                "Choir", "2027-01-11", to: "2027-01-12", end: "2027-01-12", allDay: true, planner)
            let written = times(try await exported(planner))
            #expect(written.count == 2)
            #expect(
                written.first?.contains("DTSTART;TZID=Europe/Berlin:20270104T100000") == true)
            #expect(
                written.last == [
                    "DTEND;VALUE=DATE:20270113", "DTSTART;VALUE=DATE:20270112",
                    "RECURRENCE-ID;TZID=Europe/Berlin:20270111T100000",
                ])
        }
    }

    @Test func `A mixed series from a file survives an export and an import`() async throws {
        let text = file(
            event("Camp", Self.days[0], Self.days[1]),
            event(
                "Camp", "RECURRENCE-ID;VALUE=DATE:20270111",
                "DTSTART;TZID=Europe/Berlin:20270111T150000", "DURATION:PT1H"))
        try await withImport(of: text, in: "Europe/Berlin") { planner, _ in
            _ = try await planner.edit("Camp") { $0.title = "Trip" }
            let written = try await exported(planner).joined(separator: "\n")
            #expect(written.contains("RECURRENCE-ID;VALUE=DATE:20270111"))
            try await withImport(of: written, in: "Europe/Berlin") { other, report in
                #expect(report.imported == 1)
                let changed = times(try await exported(other)).last
                #expect(changed?.contains("DTSTART;TZID=Europe/Berlin:20270111T150000") == true)
            }
        }
    }
}
