import Foundation
import TestKit
import Testing

/// `letsmeet calendar expand` with one rule or many.
@Suite(.timeLimit(.minutes(5))) struct CalendarExpandTests {
    @Test func `A rule is expanded as text and as JSON`() async throws {
        try await withTemporaryFolder { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let asked = [
                "calendar", "expand", "--dtstart", "20270314T023000", "--tzid", "America/New_York",
                "--rrule", "FREQ=DAILY;UNTIL=20270331", "--rdate",
                "20270320T120000,20270321T120000",
                "--exdate", "20270315", "20270316T023000", "--count", "3",
            ]
            let answer = try await letsmeet.run(asked + ["--json"])
            #expect(answer.status == 0)
            #expect(
                answer.json["occurrences"] as? [String]
                    == ["20270314T033000", "20270317T023000", "20270318T023000"])
            #expect(
                answer.json["utc"] as? [String]
                    == ["20270314T073000Z", "20270317T063000Z", "20270318T063000Z"])
            let text = try await letsmeet.run(asked).output
            #expect(
                text.hasPrefix(
                    "every day until 31 March 2027\n  20270314T033000  20270314T073000Z\n"))
        }
    }

    @Test(arguments: [
        (["--rrule", "FREQ=DAILY;BYDAY=1MO"], "bad_rule", "BYDAY"),
        (["--rrule", "FREQ=DAILY", "--tzid", "Europe/Helsinky"], "unknown_zone", "Helsinki"),
        (["--rrule", "FREQ=DAILY", "--exdate", "soon"], "bad_time", "soon"),
    ])
    func `An invalid rule is refused`(
        _ more: [String], _ code: String, _ word: String
    ) async throws {
        try await withTemporaryFolder { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let refused = try await letsmeet.run(
                ["calendar", "expand", "--dtstart", "20261201T180000", "--json"] + more)
            #expect(refused.status == 2)
            #expect(refused.code == code)
            #expect(refused.message.contains(word), "\(refused.message)")
        }
    }

    @Test func `Many rules are answered in their order`() async throws {
        try await withTemporaryFolder { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let questions = """
                {"id":"a","dtstart":"20261201","tzid":null,"rrule":"FREQ=DAILY","count":2}
                no rule
                {"id":"b","dtstart":"20261201T180000","rrule":"FREQ=NEVER"}
                {"id":3,"dtstart":"20261201T180000","tzid":"UTC","rrule":"FREQ=DAILY;COUNT=1"}
                """
            let file = folder + "/questions"
            try questions.write(toFile: file, atomically: true, encoding: .utf8)
            var launch = letsmeet.launch(["calendar", "expand", "--batch"])
            let output = OutputLines()
            launch.input = FileHandle(forReadingAtPath: file)
            launch.output = output.end
            #expect(try await launch.runToEnd() == 0)
            let answers = try await output.wholeText().split(separator: "\n").map { line in
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            }
            #expect(answers.map { $0["id"] as? String } == ["a", nil, "b", nil])
            #expect(answers.map { $0["error"] == nil } == [true, false, false, true])
            #expect(answers.first?["occurrences"] as? [String] == ["20261201", "20261202"])
            #expect(answers.first?["utc"] is NSNull)
            #expect(answers.last?["utc"] as? [String] == ["20261201T180000Z"])
            #expect(answers.last?["id"] as? Int == 3)
        }
    }
}
