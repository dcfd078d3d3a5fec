import Foundation
import TestKit
import Testing

/// `letsmeet cron next` with one line or many.
@Suite(.timeLimit(.minutes(5))) struct CronNextTests {
    @Test func `A line is answered as text and as JSON`() async throws {
        try await withTemporaryFolder { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let asked = [
                "cron", "next", "5 2 * * *", "--tz", "America/New_York", "--count", "2", "--after",
                "2027-03-14T00:00:00-05:00",
            ]
            let answer = try await letsmeet.run(asked + ["--json"])
            #expect(answer.status == 0)
            #expect(answer.json["explanation"] as? String == "At 02:05 every day")
            #expect(
                answer.json["next"] as? [String]
                    == ["2027-03-14T03:00:00-04:00", "2027-03-15T02:05:00-04:00"])
            let text = try await letsmeet.run(asked).output
            #expect(text.hasPrefix("At 02:05 every day\n  Sun 14 Mar 2027, 03:00 EDT\n"))
        }
    }

    @Test(arguments: [
        ("61 * * * *", "bad_cron_line", "minute"), ("0 0 * 13 *", "bad_cron_line", "month"),
        ("0 0 30 2 *", "never_fires", "30 2"), ("@sometimes", "bad_cron_line", "@daily"),
    ])
    func `The refusal of an invalid line names the field`(
        _ line: String, _ code: String, _ word: String
    ) async throws {
        try await withTemporaryFolder { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let refused = try await letsmeet.run("cron", "next", line, "--json")
            #expect(refused.status == 2)
            #expect(refused.code == code)
            #expect(refused.message.contains(word))
        }
    }

    @Test func `Many lines are answered in their order`() async throws {
        try await withTemporaryFolder { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let questions = """
                {"id":"a","expr":"@hourly","tz":"Asia/Tokyo","after":"2026-12-01T00:30","count":1}
                no question
                {"id":"b","expr":"* * *"}
                {"id":3,"expr":"60 * * * *"}
                """
            let file = folder + "/questions"
            try questions.write(toFile: file, atomically: true, encoding: .utf8)
            var launch = letsmeet.launch(["cron", "next", "--batch"])
            let output = OutputLines()
            launch.input = FileHandle(forReadingAtPath: file)
            launch.output = output.end
            #expect(try await launch.runToEnd() == 0)
            let answers = try await output.wholeText().split(separator: "\n").map { line in
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            }
            #expect(answers.map { $0["id"] as? String } == ["a", nil, "b", nil])
            #expect(answers.last?["id"] as? Int == 3)
            #expect(answers.first?["next"] as? [String] == ["2026-12-01T01:00:00+09:00"])
            let codes = answers.map { ($0["error"] as? [String: Any])?["code"] as? String }
            #expect(codes == [nil, "bad_question", "bad_cron_line", "bad_cron_line"])
        }
    }

    @Test(arguments: [
        (["-1 * * * *"], "minute: "), (["-1 * * * *", "--tz", "UTC"], "minute: "),
        (["@reboot"], "@reboot has no run times"),
        (["0 0 30 2 *"], "day of month: none of the given months has this day"),
    ])
    func `The message about an invalid line names the field`(
        words: [String], fault: String
    ) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let refused = try await letsmeet.run(["cron", "next"] + words)
            #expect(refused.status == 2)
            #expect(refused.errors.contains(fault), "\(refused.errors)")
        }
    }

    @Test func `A day given as --after means its beginning`() async throws {
        try await withFolderOnDisk { folder in
            let answer = try await Program("letsmeet", home: folder + "/home").run([
                "cron", "next", "0 0 * * *", "--after", "2026-03-08", "--count", "1", "--json",
                "--tz", "America/New_York",
            ])
            #expect(answer.output.contains("2026-03-09T00:00:00-04:00"), "\(answer.output)")
        }
    }
}
