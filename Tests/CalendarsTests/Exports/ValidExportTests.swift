import Calendars
import Planning
import TestKit
import Testing

/// Exports of imported events whose files are not valid.
@Suite struct ValidExportTests: TakesCalendarFiles {
    /// The lines that an event has in an export.
    private func written(_ lines: String..., head: String...) async throws -> [String] {
        let text = (["BEGIN:VEVENT", "UID:tea", "SUMMARY:Tea"] + lines + ["END:VEVENT"])
            .joined(separator: "\n")
        let whole = (["BEGIN:VCALENDAR", "VERSION:2.0"] + head + [text, "END:VCALENDAR", ""])
            .joined(separator: "\n")
        var found: [String] = []
        try await withImport(of: whole, in: "Europe/Berlin") { planner, _ in
            found = try await exported(planner)
        }
        return found
    }

    @Test(arguments: [
        "DURATION:1 hour", "PRIORITY:high", "PRIORITY:10", "SEQUENCE:abc", "SEQUENCE:-1",
        "STATUS:PERHAPS", "TRANSP:GRAY", "GEO:here", "PERCENT-COMPLETE:x", "RRULE:FREQ=FORTNIGHTLY",
        "EXDATE:20270230T100000Z", "RDATE:nope", "CREATED:yesterday",
        "LAST-MODIFIED:20261301T000000Z", "DTSTAMP:2026",
    ])
    func `The text of an invalid value stays in a property that other programs ignore`(
        _ line: String
    ) async throws {
        let found = try await written("DTSTART:20270104T100000Z", line)
        #expect(!found.contains(line))
        #expect(found.contains { $0.hasPrefix("X-LETSMEET-\(line.prefix { $0 != ":" }):") })
        #expect(found.filter { $0.hasPrefix("DTSTAMP:20") }.count == 1)
    }

    @Test func `Valid values stay as they are`() async throws {
        let lines = [
            "DTSTART;VALUE=DATE:20270104", "RRULE:FREQ=WEEKLY;COUNT=3",
            "EXDATE;VALUE=DATE:20270111",
            "PRIORITY:0", "SEQUENCE:2", "STATUS:TENTATIVE", "TRANSP:TRANSPARENT", "GEO:52.5;13.4",
            "CLASS:X-SECRET", "DURATION:P2D",
        ]
        let found = try await written(lines.joined(separator: "\n"))
        for line in lines { #expect(found.contains(line), "\(line)") }
        #expect(!found.contains { $0.hasPrefix("X-LETSMEET") })
    }

    @Test func `A class that is no word stays private`() async throws {
        let found = try await written("DTSTART:20270104T100000Z", "CLASS:TOP SECRET")
        #expect(found.contains("CLASS:PRIVATE") && !found.contains("CLASS:TOP SECRET"))
    }

    @Test func `Of a list of dates, the valid ones stay`() async throws {
        let found = try await written(
            "DTSTART:20270104T100000Z", "RRULE:FREQ=DAILY;COUNT=5",
            "EXDATE:20270105T100000Z,20270230T100000Z")
        #expect(found.contains("EXDATE:20270105T100000Z"))
    }

    @Test func `An alarm without a time is left out, and one that repeats at no interval does not`()
        async throws
    {
        let found = try await written(
            "DTSTART:20270104T100000Z", "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x",
            "TRIGGER:15 min", "END:VALARM", "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:y",
            "TRIGGER:-PT15M", "REPEAT:2", "DURATION:later", "END:VALARM")
        #expect(found.filter { $0 == "BEGIN:VALARM" }.count == 1)
        #expect(found.contains("TRIGGER:-PT15M") && !found.contains("REPEAT:2"))
        #expect(!found.contains("DURATION:later"))
    }

    @Test(arguments: [
        ("COUNT=10;UNTIL=20270106T100000Z", "RRULE:FREQ=DAILY;UNTIL=20270106T100000Z"),
        ("UNTIL=20270106T100000Z;COUNT=2", "RRULE:FREQ=DAILY;COUNT=2"),
    ])
    func `A rule with two ends is written with the earlier one`(
        _ ends: String, _ rule: String
    ) async throws {
        let found = try await written("DTSTART:20270104T100000Z", "RRULE:FREQ=DAILY;\(ends)")
        #expect(found.contains(rule))
    }

    @Test func `Whole days are written without times of day in their rule`() async throws {
        let found = try await written(
            "DTSTART;VALUE=DATE:20270104", "RRULE:FREQ=DAILY;COUNT=5;BYHOUR=9,12")
        #expect(found.contains("RRULE:FREQ=DAILY;COUNT=5"))
    }

    @Test func `An export describes exactly the zones that it uses`() async throws {
        let zone = """
            BEGIN:VTIMEZONE\nTZID:Unused\nBEGIN:STANDARD\nDTSTART:19700101T000000
            TZOFFSETFROM:+0100\nTZOFFSETTO:+0100\nEND:STANDARD\nEND:VTIMEZONE
            """
        let used = try await written("DTSTART;TZID=Europe/Paris:20270104T100000", head: zone)
        #expect(used.filter { $0.hasPrefix("TZID") } == ["TZID:Europe/Paris"])
        let unknown = try await written("DTSTART;TZID=CST:20270104T100000")
        #expect(unknown.contains("DTSTART:20270104T100000"))
        #expect(!unknown.contains { $0.hasPrefix("TZID") })
    }
}
