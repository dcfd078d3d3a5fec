import Foundation
import TestKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct PlaceImportTests {
    private static let rows = [
        #"{"fsq_place_id":"4b0588f1f964a520dd0000a1","name":"Invented Museum","latitude":61.4991,"#
            + #""longitude":23.7871,"fsq_category_ids":["4bf58dd8d48988d181941735"],"#
            + #""fsq_category_labels":["Arts and Entertainment > Museum"],"tel":"+358 0000"}"#,
        #"{"fsq_place_id":"4b0588f1f964a520dd0000a2","name":"Cut"#,
        #"{"fsq_place_id":"4b0588f1f964a520dd0000a3","name":"Closed","date_closed":"2020-01-01"}"#,
        #"{"fsq_place_id":"4b0588f1f964a520dd0000a4","name":"No Position","latitude":null}"#,
    ]

    private static let features = [
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[23.79,61.5]},"properties":"#
            + #"{"@type":"node","@id":7,"name":"Invented Gallery","tourism":"museum"}}"#,
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[23.79,,]}}"#,
        #"{"type":"Feature","geometry":null,"properties":{"highway":"crossing"}}"#,
        #"{"type":"Feature","id":"mine","geometry":{"type":"Point","coordinates":[23.8,61.5]},"#
            + #""properties":{"name":"Invented Hall","tourism":"museum"}}"#,
    ]

    struct Form: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let damagedLine: Int
        let attribution: String
    }

    @Test(arguments: [
        Form(
            testDescription: "rows", text: rows.joined(separator: "\r\n"), damagedLine: 2,
            attribution: "Foursquare Open Source Places"),
        Form(
            testDescription: "a collection",
            text: "{\"type\":\"FeatureCollection\",\n\"features\":[\n"
                + features.joined(separator: ",\n") + "\n]}",
            damagedLine: 4, attribution: "OpenStreetMap"),
        Form(
            testDescription: "a sequence", text: features.joined(separator: "\n"), damagedLine: 2,
            attribution: "OpenStreetMap"),
        Form(
            testDescription: "a sequence with separators",
            text: features.map { "\u{1E}\($0)\n" }.joined(), damagedLine: 2,
            attribution: "OpenStreetMap"),
    ])
    func `The valid places of a damaged file are imported, and the bad line is reported`(
        _ form: Form
    ) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let file = folder + "/places.json"
            try form.text.write(toFile: file, atomically: true, encoding: .utf8)
            for isFirst in [true, false] {
                let outcome = try await letsmeet.ask("place import", file)
                #expect(outcome.status == 0)
                #expect(outcome.errors.isEmpty)
                #expect(outcome.json["imported"] as? Int == (isFirst ? 2 : 0))
                #expect(outcome.json["updated"] as? Int == (isFirst ? 0 : 2))
                let skipped = try #require(outcome.json["skipped"] as? [[String: Any]])
                #expect(skipped.map { $0["line"] as? Int } == [form.damagedLine])
                #expect(skipped.first?["file"] as? String == file)
                #expect(outcome.attribution.contains(form.attribution))
            }
        }
    }

    @Test func `Imported places are found with their sources and used for meetings`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            for (name, lines) in [("rows", Self.rows), ("features", Self.features)] {
                let file = "\(folder)/\(name)"
                try lines.joined(separator: "\n").write(
                    toFile: file, atomically: true, encoding: .utf8)
                _ = try await letsmeet.ask("place import", file)
            }
            let found = try await letsmeet.ask("place search --city Tampere --for museum")
            #expect(found.names == ["Invented Museum", "Invented Gallery", "Invented Hall"])
            #expect(found.attribution.contains("Foursquare Open Source Places"))
            #expect(found.attribution.contains("OpenStreetMap"))
            for (place, name) in zip(found.results, found.names) {
                let id = try #require(place["id"] as? String)
                let meeting = try await letsmeet.ask(
                    "meeting new Visit --start 2099-01-01T12:00 --place", id)
                #expect(meeting.place["id"] as? String == id)
                #expect(meeting.place["text"] as? String == name)
            }
        }
    }

    @Test func `A file without a place is refused with its first fault`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            for text in ["", "name,latitude\nHall,61.5\n", "{}", Self.rows[1]] {
                let file = folder + "/places.json"
                try text.write(toFile: file, atomically: true, encoding: .utf8)
                let outcome = try await letsmeet.ask("place import", file)
                #expect(outcome.status == 2)
                #expect(outcome.code == "nothing_read")
                #expect(outcome.message.contains(file))
                #expect(text.isEmpty || outcome.message.contains("Line 1"))
            }
        }
    }

    private static let tampere = [
        #"{"type":"node","id":9,"lat":61.4991,"lon":23.7871,"tags":{"amenity":"cafe","#
            + #""name":"Invented Café","contact:phone":"+358 7777"}}"#,
        #"{"type":"way","id":8,"center":{"lat":61.5,"lon":23.79},"tags":{"leisure":"park","#
            + #""name":"Invented Park"}}"#,
    ]

    private func withOverpass(
        _ answer: FakeOverpass.Answer, _ body: (Program, FakeOverpass) async throws -> Void
    ) async throws {
        let fake = try FakeOverpass(answer)
        defer { fake.stop() }
        try await withFolderOnDisk { folder in
            try await body(
                Program(
                    "letsmeet", home: folder + "/home",
                    settings: ["LETSMEET_OVERPASS_URL": fake.url]), fake)
        }
    }

    @Test func `A city and its map are fetched in a request each, and can be searched afterwards`()
        async throws
    {
        try await withOverpass(.elements(Self.tampere + FakeOverpass.sample)) { letsmeet, fake in
            let fetched = try await letsmeet.ask("place fetch Tampere --radius 2500")
            #expect(fetched.status == 0)
            #expect(fetched.json["imported"] as? Int == 5)
            #expect(fetched.json["left_out"] as? Int == 1)
            let skipped = fetched.json["skipped"] as? [[String: Any]] ?? []
            #expect(skipped.map { $0["file"] as? String } == ["Overpass"])
            #expect(skipped.allSatisfy { $0["line"] is NSNull })
            #expect(fetched.attribution.contains("ODbL"))
            #expect(fetched.attribution.contains("2026-11-20"))
            let request = try #require(fake.requests.first)
            #expect(request.headers["user-agent"]?.contains("letsmeet") == true)
            #expect(request.fields["data"]?.contains("(around:2500,61.49911,23.78712)") == true)
            let found = try await letsmeet.ask("place search --city Tampere --for coffee")
            #expect(found.names == ["Invented Café"])
            #expect(found.attribution.contains("ODbL"))
            #expect(found.attribution.contains("2026-11-20"))
            #expect(try KeptBytes(in: letsmeet.home).find(["+358 7777"]).isEmpty)
            let again = try await letsmeet.run("place", "fetch", "--city", "Tampere")
            #expect(again.output.contains("0 imported, 5 updated"))
            #expect(again.output.contains("  Overpass: Element 7, osm:way/105, has no position."))
            #expect(again.output.contains("© OpenStreetMap contributors, ODbL"))
            let queries = fake.requests.compactMap { $0.fields["data"] }
            #expect(queries.map { $0.contains("out geom") } == [false, true, false, true])
        }
    }

    struct Trap: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: FakeOverpass.Answer
        let status: Int32
        let code: String
    }

    private static let huge = Array(repeating: UInt8(ascii: " "), count: (64 << 20) + 1)

    @Test(arguments: [
        Trap(
            testDescription: "remark",
            answer: .remark("runtime error: Query timed out", elements: tampere), status: 3,
            code: "unavailable"),
        Trap(
            testDescription: "any remark", answer: .remark("Ran out of memory", elements: tampere),
            status: 3, code: "unavailable"),
        Trap(
            testDescription: "429", answer: .refusal(429, retryAfter: "30"), status: 3,
            code: "rate_limited"),
        Trap(
            testDescription: "504", answer: .refusal(504, retryAfter: nil), status: 3,
            code: "rate_limited"),
        Trap(
            testDescription: "400", answer: .refusal(400, retryAfter: nil), status: 3,
            code: "bad_request"),
        Trap(
            testDescription: "a page for people",
            answer: .raw(FakeAnswer(200, body: Array("<html>".utf8))), status: 3,
            code: "unreadable"),
        Trap(
            testDescription: "truncated", answer: .raw(.json(#"{"elements":[{"type":"no"#)),
            status: 3, code: "unreadable"),
        Trap(
            testDescription: "broken off",
            answer: .raw(.json(#"{"elements":[]}"#, manner: .brokenOff(afterBytes: 4))), status: 3,
            code: "unreachable"),
        Trap(
            testDescription: "huge", answer: .raw(FakeAnswer(200, body: huge)), status: 3,
            code: "unreachable"),
        Trap(testDescription: "empty", answer: .elements([]), status: 1, code: "nothing_found"),
    ])
    func `An incomplete fetch of a city imports nothing`(_ trap: Trap) async throws {
        try await withOverpass(trap.answer) { letsmeet, fake in
            let outcome = try await letsmeet.ask("place fetch --city Tampere")
            #expect(outcome.status == trap.status)
            #expect(outcome.code == trap.code)
            #expect(!outcome.message.isEmpty)
            #expect(outcome.errors.isEmpty)
            #expect(fake.requests.count == 1)
            #expect(try KeptBytes(in: letsmeet.home).find(["Invented"]).isEmpty)
        }
    }
}
