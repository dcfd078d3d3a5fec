import Foundation
import TestKit
import Testing

/// `letsmeet calendar import` and `export`, and `meeting export`.
@Suite(.timeLimit(.minutes(5))) struct CalendarFileTests {
    private static let file = """
        BEGIN:VCALENDAR
        VERSION:2.0
        BEGIN:VEVENT
        UID:tea@example.org
        DTSTAMP:20261101T100000Z
        DTSTART;TZID=Europe/Berlin:20991205T120000
        SUMMARY:Tea
        X-CUPS:4
        END:VEVENT
        BEGIN:VTODO
        UID:task@example.org
        DTSTAMP:20261101T100000Z
        SUMMARY:Buy tea
        END:VTODO
        END:VCALENDAR

        """

    @Test func `A file becomes meetings, and meetings become a file`() async throws {
        try await withTemporaryFolder { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let path = folder + "/tea.ics"
            try Self.file.write(toFile: path, atomically: true, encoding: .utf8)
            let answer = try await letsmeet.run(["calendar", "import", path])
            #expect(answer.status == 0)
            #expect(answer.output.contains("1 imported, 0 updated, 0 unchanged."))
            #expect(answer.output.contains("\"Buy tea\" is not an event, but a VTODO"))
            let again = try await letsmeet.run(["calendar", "import", path, "--json"])
            #expect(again.json["unchanged"] as? Int == 2)
            let whole = try await letsmeet.run(["calendar", "export"])
            #expect(whole.output.contains("X-CUPS:4\r\n"))
            #expect(whole.output.contains("SUMMARY:Buy tea\r\n"))
            let one = try await letsmeet.run(["meeting", "export", "Tea", "--json"])
            let text = try #require(one.json["text"] as? String)
            #expect(one.json["format"] as? String == "icalendar")
            #expect(text.contains("X-CUPS:4\r\n") && !text.contains("Buy tea"))
        }
    }

    @Test func `A file that is not a calendar is refused`() async throws {
        try await withTemporaryFolder { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let path = folder + "/notes.txt"
            try "Dear all,\n".write(toFile: path, atomically: true, encoding: .utf8)
            let answer = try await letsmeet.run(["calendar", "import", path])
            #expect(answer.status == 2)
            #expect(answer.errors.contains("no event"))
            let missing = try await letsmeet.run(["meeting", "export", "nothing"])
            #expect(missing.status == 1)
        }
    }
}
