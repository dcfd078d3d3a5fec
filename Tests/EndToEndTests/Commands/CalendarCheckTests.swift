import Foundation
import TestKit
import Testing

/// `letsmeet calendar check` on valid and invalid files.
@Suite(.timeLimit(.minutes(5))) struct CalendarCheckTests {
    private static func file(_ lines: String) -> String {
        """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//example//EN
        BEGIN:VEVENT
        UID:a@example.org
        DTSTAMP:20261201T120000Z
        \(lines)
        END:VEVENT
        END:VCALENDAR

        """
    }

    @Test func `The entries and the problems of a file are shown`() async throws {
        try await withTemporaryFolder { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let path = folder + "/invitation.ics"
            let text = Self.file(
                "DTSTART;TZID=Romance Standard Time:20261206T140000\nDURATION:PT1H\nSUMMARY:Tea")
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let answer = try await letsmeet.run(["calendar", "check", path, "--json"])
            #expect(answer.status == 0)
            let components = answer.json["components"] as? [[String: Any]]
            #expect(components?.first?["start"] as? String == "20261206T130000Z")
            #expect(components?.first?["end"] as? String == "20261206T140000Z")
            #expect(components?.first?["recurrence_id"] is NSNull)
            // The time zone has a Windows name, and the file does not define it.
            #expect((answer.json["problems"] as? [Any])?.count == 1)
            let shown = try await letsmeet.run(["calendar", "check", path])
            #expect(shown.output.contains("Tea"))
            #expect(shown.output.contains("1 component, 1 problem"))
        }
    }

    @Test func `Errors exit with status 2, warnings do not`() async throws {
        try await withTemporaryFolder { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let path = folder + "/invitation.ics"
            for (line, status, severity) in [
                ("DTSTART;TZID=Mars/Olympus:20261206T140000", 0, "warning"),
                ("DTSTART:20261206T140000Z\nRRULE:FREQ=WEEKLY;BYDAY=XX", 2, "error"),
            ] {
                try Self.file(line).write(toFile: path, atomically: true, encoding: .utf8)
                let answer = try await letsmeet.run(["calendar", "check", path, "--json"])
                #expect(Int(answer.status) == status)
                let problems = answer.json["problems"] as? [[String: Any]]
                #expect(problems?.map { $0["severity"] as? String } == [severity])
            }
            let missing = try await letsmeet.run(
                ["calendar", "check", folder + "/none.ics", "--json"])
            #expect(missing.status == 2)
            #expect(missing.code == "unreadable_file")
        }
    }
}
