import Agenda
import Testing
import Timekeeping

@Suite struct MeetingRulesTests {
    private func sentence(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "allowed"
        } catch let violation as RuleViolation {
            return "\(violation.code): \(violation.message)"
        } catch {
            return "another error: \(error)"
        }
    }

    @Test(arguments: [
        ("Lunch", "allowed"),
        (String(repeating: "é", count: 200), "allowed"),
        ("", "empty_title: The title is empty."),
        (" \t", "empty_title: The title is empty."),
        (
            String(repeating: "a", count: 201),
            "long_title: The title is longer than 200 characters."
        ),
        (
            "a\nb",
            "bad_title: The title contains a line break or another control character."
        ),
        (
            "a\u{1b}[31m",
            "bad_title: The title contains a line break or another control character."
        ),
        (
            "a\u{2028}b",
            "bad_title: The title contains a line break or another control character."
        ),
        (
            "a\u{2029}b",
            "bad_title: The title contains a line break or another control character."
        ),
        (String(repeating: "👨‍👩‍👧‍👦", count: 200), "allowed"),
        (
            String(repeating: "👨‍👩‍👧‍👦", count: 201),
            "long_title: The title is longer than 200 characters."
        ),
        (
            "e" + String(repeating: "\u{301}", count: 4000),
            "long_title: The title takes more than 8000 bytes."
        ),
    ])
    func `A title is a single visible line`(_ title: String, _ expected: String) throws {
        var meeting = try Gathering().meeting
        meeting.title = title
        #expect(sentence { try MeetingRules.check(meeting) } == expected)
    }

    @Test(arguments: [
        ("", "allowed"), ("https://example.org/a?b=c", "allowed"), ("HTTP://h", "allowed"),
        (
            "javascript:alert(1)",
            "bad_link: The link must begin with https:// or http:// and contain no spaces or "
                + "invisible characters."
        ),
        (
            "https:/example.org",
            "bad_link: The link must begin with https:// or http:// and contain no spaces or "
                + "invisible characters."
        ),
        (
            "https://a.example/\u{202E}gnp.exe",
            "bad_link: The link must begin with https:// or http:// and contain no spaces or "
                + "invisible characters."
        ),
        (
            "https://a b",
            "bad_link: The link must begin with https:// or http:// and contain no spaces or "
                + "invisible characters."
        ),
    ])
    func `A link is an HTTP address`(_ link: String, _ expected: String) throws {
        var meeting = try Gathering().meeting
        meeting.link = link
        #expect(sentence { try MeetingRules.check(meeting) } == expected)
    }

    @Test(arguments: [
        (1, "allowed"),
        (0, "start_in_past: That start has passed. Give one in the future."),
        (-1, "start_in_past: That start has passed. Give one in the future."),
        (36_525 * 86_400, "allowed"),
        (
            36_525 * 86_400 + 1,
            "start_too_far: That start is more than a hundred years away. Give an earlier one."
        ),
    ])
    func `A start is in the future`(_ seconds: Int64, _ expected: String) {
        let now = Moment(seconds: 1_800_000_000)
        let start = now.advanced(bySeconds: seconds)
        #expect(sentence { try MeetingRules.check(start: start, now: now) } == expected)
    }

    @Test(arguments: [
        ("2027-03-28T02:59", "allowed"), ("2027-03-28T04:00", "allowed"),
        (
            "2027-03-28T03:30",
            "skipped_time: The clocks in Europe/Helsinki skip 2027-03-28T03:30:00. "
                + "Write 2027-03-28T02:30:00 or 2027-03-28T04:30:00 instead."
        ),
        ("2027-10-31T03:30", "allowed"),
    ])
    func `A start is a wall-clock time that exists`(_ wall: String, _ expected: String) throws {
        let zone = try Gathering.helsinki.get()
        let start = try WallTime.parse(wall)
        #expect(sentence { try MeetingRules.check(start: start, in: zone) } == expected)
    }

    @Test(arguments: [
        (0, 1, "allowed"), (31, 0, "allowed"),
        (0, 0, "no_duration: A meeting ends after it starts. Give a duration such as 90m."),
        (31, 1, "duration_too_long: A meeting can last at most 31 days."),
    ])
    func `A meeting has a positive and limited duration`(
        _ days: Int, _ seconds: Int, _ expected: String
    ) {
        let span = TimeSpan(days: days, seconds: seconds)
        #expect(sentence { try MeetingRules.check(duration: span) } == expected)
    }

    @Test(arguments: [
        (10, 366, "allowed"),
        (11, 1, "too_many_reminders: A meeting can have at most 10 reminders."),
        (1, 367, "reminder_too_early: A reminder comes at most 366 days before the start."),
    ])
    func `Reminders are limited in number and in time`(
        _ count: Int, _ days: Int, _ expected: String
    ) {
        let spans = Array(repeating: TimeSpan(days: days, seconds: 0), count: count)
        #expect(sentence { try MeetingRules.check(reminders: spans) } == expected)
    }

    @Test(arguments: [([60], "allowed"), ([3600, 0], Self.atStart), ([0], Self.atStart)])
    func `A reminder comes before the start`(_ seconds: [Int], _ expected: String) {
        let spans = seconds.map { TimeSpan(days: 0, seconds: $0) }
        #expect(sentence { try MeetingRules.check(reminders: spans) } == expected)
    }

    private static let atStart =
        "reminder_at_start: A reminder comes before the start. Say how long before, such as 10m."

    @Test func `The number of people in a meeting is limited`() {
        #expect(sentence { try MeetingRules.check(participantCount: 4000) } == "allowed")
        #expect(
            sentence { try MeetingRules.check(participantCount: 4001) }
                == "too_many_people: A meeting can have at most 4000 people, but this one would "
                + "have 4001.")
    }

    @Test func `A note may have line breaks but no other control characters`() throws {
        var meeting = try Gathering().meeting
        meeting.note = "one\n\ttwo"
        #expect(sentence { try MeetingRules.check(meeting) } == "allowed")
        meeting.note = "one\u{7}"
        #expect(
            sentence { try MeetingRules.check(meeting) }
                == "bad_note: The note contains control characters.")
    }
}
