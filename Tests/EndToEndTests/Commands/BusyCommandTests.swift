import Foundation
import TestKit
import Testing

/// `letsmeet calendar busy` and `calendar free`.
@Suite(.timeLimit(.minutes(5))) struct BusyCommandTests {
    @Test func `Busy times are read, and free times found`() async throws {
        let server = try FakeHTTPServer { _ in
            let lines = [
                "BEGIN:VCALENDAR", "BEGIN:VEVENT", "DTSTART;TZID=Europe/Berlin:20991202T100000",
                "DURATION:PT8H", "SUMMARY:Secret", "END:VEVENT", "END:VCALENDAR", "",
            ]
            return FakeAnswer(200, body: Array(lines.joined(separator: "\r\n").utf8))
        }
        defer { server.stop() }
        try await withTemporaryFolder { folder in
            let letsmeet = Program(
                "letsmeet", home: folder + "/home",
                settings: ["LETSMEET_WEBHOOK_ALLOW": "127.0.0.1"])
            let clock = ["--now", "2099-12-01T12:00:00Z"]
            let added = try await letsmeet.run(
                ["calendar", "busy", "add", server.url + "/secret/path.ics"] + clock)
            #expect(added.status == 0, "\(added.errors)")
            #expect(added.output.contains("127.0.0.1, busy times: 1"))
            #expect(!added.output.contains("secret"))
            let mine = try await letsmeet.run(["calendar", "busy", "list", "--json"])
            let calendar = try #require((mine.json["calendars"] as? [[String: Any]])?.first)
            let person = try #require(calendar["person"] as? [String: Any])
            let me = try #require(person["id"] as? String)
            let free = try await letsmeet.run(
                [
                    "calendar", "free", me, "--from", "2099-12-02T00:00", "--to",
                    "2099-12-03T00:00", "--duration", "2h", "--within", "9:00-21:00", "--tz",
                    "Europe/Berlin", "--json",
                ] + clock)
            let slots = try #require(free.json["slots"] as? [[String: Any]])
            #expect(
                slots.compactMap { $0["start"] as? String } == ["2099-12-02T18:00:00+01:00"])
            let words = try await letsmeet.run(
                [
                    "calendar", "free", me, "--from", "2099-12-02T10:00", "--to",
                    "2099-12-02T12:00", "--tz", "Europe/Berlin",
                ] + clock)
            #expect(words.status == 0)
            #expect(words.output.contains("There is no time at which any of them can come."))
            let wrong = try await letsmeet.run(["calendar", "busy", "add", "nowhere"])
            #expect(wrong.status == 2)
            let gone = try await letsmeet.run(
                ["calendar", "busy", "remove", try #require(calendar["id"] as? String)])
            #expect(gone.status == 0)
            #expect(
                try await letsmeet.run(["calendar", "busy", "list"]).output
                    .contains("No busy calendars"))
        }
    }
}
