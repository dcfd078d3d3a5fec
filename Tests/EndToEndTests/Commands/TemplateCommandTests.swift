import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct TemplateCommandTests {
    @Test func `Templates are listed, shown and checked`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let list = try await letsmeet.run("template", "list", "--json")
            let lines = try #require(list.json["templates"] as? [[String: Any]])
            let reminder = lines.first { $0["name"] as? String == "text/reminder" }
            #expect(reminder?["origin"] as? String == "shipped")
            #expect(reminder?["problem"] is NSNull)
            #expect(try await letsmeet.run("template", "check").status == 0)
            let page = try await letsmeet.run("template", "render", "html/invitation")
            #expect(page.output.hasPrefix("<!DOCTYPE html>") && page.status == 0)
            let text = try await letsmeet.run(
                "template", "render", "text/reminder", "--tz", "Asia/Tokyo")
            #expect(text.output.contains("(Asia/Tokyo)"))
            for (name, code) in [("nothing", "unknown_template"), ("text/facts", "partial")] {
                let wrong = try await letsmeet.run("template", "render", name, "--json")
                let error = wrong.json["error"] as? [String: Any]
                #expect(wrong.status == 1)
                #expect((error?["code"] as? String)?.hasPrefix(code) == true)
            }
        }
    }

    @Test func `A broken template is reported with file and line, and is not used`() async throws {
        try await withFolderOnDisk { folder in
            let home = folder + "/home"
            let own = home + "/templates/text"
            try FileManager.default.createDirectory(
                atPath: own, withIntermediateDirectories: true)
            try "Ours\n\n{{titel}}\n".write(
                toFile: own + "/nudge.mustache", atomically: true, encoding: .utf8)
            let letsmeet = Program("letsmeet", home: home)
            let check = try await letsmeet.run("template", "check", "--json")
            #expect(check.status == 2)
            let problems = try #require(check.json["problems"] as? [[String: Any]])
            #expect(problems.first?["line"] as? Int == 3)
            #expect((problems.first?["file"] as? String)?.hasSuffix("nudge.mustache") == true)
            let render = try await letsmeet.run("template", "render", "text/nudge")
            #expect(render.output.contains("would like to know"))
            #expect(render.errors.contains("no variable {{titel}}"))
        }
    }
}
