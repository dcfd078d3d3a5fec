import Foundation
import TestKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct FoursquareTroubleTests {
    private static let search = "place search --city Helsinki --for museum --limit 1"

    struct Trouble: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: FakeFoursquareAnswer
        let code: String
        let word: String

        init(_ name: String, _ answer: FakeFoursquareAnswer, _ code: String, _ word: String) {
            testDescription = name
            self.answer = answer
            self.code = code
            self.word = word
        }

        init(_ name: String, _ answer: FakeAnswer, _ code: String, _ word: String) {
            self.init(name, FakeFoursquareAnswer(answer), code, word)
        }
    }

    private static let huge = Array(repeating: UInt8(ascii: " "), count: 5 << 20)

    @Test(arguments: [
        Trouble("401", .refusal(401, "No: \(FakeFoursquare.key)"), "refused", "key"),
        Trouble("403", FakeAnswer(403), "refused", "key"),
        Trouble("400", .refusal(400, "Bad \(FakeFoursquare.key)"), "bad_request", "Bad"),
        Trouble("404", FakeAnswer(404), "refused", "LETSMEET_FOURSQUARE_URL"),
        Trouble(
            "429", .refusal(429, "Slow down", retryAfter: "3600"), "rate_limited", "60 minutes"),
        Trouble("slow", .refusal(429, "Slow down", retryAfter: "99"), "rate_limited", "Slow down"),
        Trouble("credit", .outOfCredit, "out_of_credit", "no API credits remaining"),
        Trouble("500", .refusal(500, "Oh", retryAfter: "60"), "unavailable", "500"),
        Trouble(
            "a page for people", FakeAnswer(200, body: Array("<html>\(FakeFoursquare.key)".utf8)),
            "unreadable", "web page"),
        Trouble("truncated", .truncatedJSON, "unreadable", "too early"),
        Trouble("nothing", FakeAnswer(200), "unreadable", "empty"),
        Trouble("no text", FakeAnswer(200, body: [0xFF, 0xD8]), "unreadable", "JSON"),
        Trouble("broken off", .brokenOff, "unreachable", "request failed"),
        Trouble("hung up", FakeAnswer(200, manner: .hangUp), "unreachable", "request failed"),
        Trouble("huge", FakeAnswer(200, body: huge), "unreachable", "larger"),
        Trouble(
            "no gzip", FakeAnswer(200, headers: [("Content-Encoding", "gzip")], body: [1, 2, 3]),
            "unreachable", "request failed"),
        Trouble(
            "redirect", FakeAnswer(302, headers: [("Location", "https://elsewhere.example/")]),
            "unreadable", "redirect"),
    ])
    func `The failure of a requested source is one sentence without the key`(
        _ trouble: Trouble
    ) async throws {
        try await withFoursquare([trouble.answer]) { letsmeet, fake in
            let outcome = try await letsmeet.ask(Self.search, "--source", "foursquare")
            #expect(outcome.status == 3)
            #expect(outcome.code == trouble.code)
            #expect(outcome.message.contains(trouble.word), "\(outcome.message)")
            #expect(outcome.errors.isEmpty)
            #expect(!outcome.output.contains(FakeFoursquare.key))
            #expect(fake.requests.count == 1)
        }
    }

    @Test func `A terminal shows that a silent service is waited for`() async throws {
        try await withFoursquare([.silent]) { letsmeet, _ in
            let terminal = try PseudoTerminal()
            let search = Self.search.split(separator: " ").map(String.init)
            let run = try terminal.start(letsmeet, search)
            try await terminal.wait(for: "Waiting for Foursquare …")
            kill(run.id, SIGKILL)
            #expect(await run.status == SIGKILL)
        }
    }

    @Test func `A small body that unpacks to a huge one is not unpacked to the end`() async throws {
        let bomb = FakeAnswer(
            200, headers: [("Content-Encoding", "gzip")], body: try await gzipped(Self.huge))
        try await withFoursquare([FakeFoursquareAnswer(bomb)]) { letsmeet, _ in
            let outcome = try await letsmeet.ask(Self.search, "--source", "foursquare")
            #expect(outcome.status == 3)
            #expect(outcome.message.contains("larger"))
        }
    }

    @Test func `A temporary fault is retried once without a warning`() async throws {
        try await withFoursquare([.rateLimited, .places([FakeFoursquare.museum])]) {
            program, fake in
            let outcome = try await program.ask(Self.search, "--source", "foursquare")
            #expect(outcome.names.count == 1)
            #expect(outcome.warnings.isEmpty)
            #expect(fake.requests.count == 2)
        }
    }

    @Test func `The catalogue replaces a failed default source, with the reason`() async throws {
        try await withFoursquare([.refusal(401, "Invalid request token.")]) { letsmeet, fake in
            let outcome = try await letsmeet.ask(Self.search)
            #expect(outcome.status == 0)
            #expect(outcome.json["source"] as? String == "catalogue")
            #expect(!outcome.results.isEmpty)
            #expect(outcome.attribution.contains("OpenStreetMap"))
            #expect(outcome.warnings.count == 1)
            #expect(outcome.warnings.first?.contains("refused the key") == true)
            #expect(outcome.warnings.first?.contains("catalogue was searched") == true)
            let plain = try await letsmeet.run(Self.search.split(separator: " ").map(String.init))
            #expect(plain.errors == outcome.warnings.joined(separator: "\n"))
            #expect(plain.output.contains("OpenStreetMap"))
            let elsewhere = try await letsmeet.ask("place search --city Tampere --for museum")
            #expect(elsewhere.status == 1)
            #expect(elsewhere.code == "not_covered")
            #expect(elsewhere.message.contains("refused the key"))
            #expect(elsewhere.message.contains("no places in Tampere"))
            #expect(elsewhere.message.contains("letsmeet place fetch"))
            #expect(!elsewhere.message.contains("set FOURSQUARE_SERVICE_KEY"))
            let asked = fake.requests.count
            let own = try await letsmeet.ask(Self.search, "--source", "catalogue")
            #expect(own.json["source"] as? String == "catalogue")
            #expect(own.warnings.isEmpty)
            #expect(fake.requests.count == asked)
        }
    }

    @Test(arguments: [
        (["FOURSQUARE_SERVICE_KEY": "fsq3OLDKEY="], "misconfigured", "v3"),
        (["FOURSQUARE_SERVICE_KEY": "two words"], "misconfigured", "one word"),
        (["LETSMEET_FOURSQUARE_URL": "https://api.foursquare.com/v3"], "misconfigured", "v2 or v3"),
        (["LETSMEET_FOURSQUARE_URL": "nonsense"], "misconfigured", "LETSMEET_FOURSQUARE_URL"),
        (["LETSMEET_FOURSQUARE_URL": "http://127.0.0.1:1"], "unreachable", "127.0.0.1"),
        (["FOURSQUARE_SERVICE_KEY": ""], "no_key", "FOURSQUARE_SERVICE_KEY"),
    ])
    func `An invalid key or address is reported, and nothing is sent`(
        _ settings: [String: String], _ code: String, _ word: String
    ) async throws {
        try await withFoursquare([.places([])], settings: settings) { letsmeet, fake in
            let outcome = try await letsmeet.ask(Self.search, "--source", "foursquare")
            #expect(outcome.status == 3)
            #expect(outcome.code == code)
            #expect(outcome.message.contains(word), "\(outcome.message)")
            let isTold = settings["FOURSQUARE_SERVICE_KEY"].map {
                !$0.isEmpty && outcome.output.contains($0)
            }
            #expect(isTold ?? false == false)
            #expect(fake.requests.isEmpty)
        }
    }

    @Test func `The catalogue also replaces Foursquare if the key is for its old API`() async throws
    {
        let settings = ["FOURSQUARE_SERVICE_KEY": "fsq3OLDKEY="]
        try await withFoursquare([.places([])], settings: settings) { letsmeet, fake in
            let outcome = try await letsmeet.ask(Self.search)
            #expect(outcome.status == 0)
            #expect(outcome.json["source"] as? String == "catalogue")
            #expect(outcome.warnings.first?.contains("v3") == true)
            #expect(!outcome.output.contains("OLDKEY"))
            #expect(fake.requests.isEmpty)
        }
    }

    @Test func `A key from a file is neither shown nor stored`() async throws {
        try await withFolderOnDisk { folder in
            let file = folder + "/key"
            try "\(FakeFoursquare.key)\n".write(toFile: file, atomically: true, encoding: .utf8)
            let settings = ["FOURSQUARE_SERVICE_KEY": "", "FOURSQUARE_SERVICE_KEY_FILE": file]
            try await withFoursquare(
                [.places([FakeFoursquare.museum]), .refusal(403, "No \(FakeFoursquare.key)")],
                settings: settings
            ) { letsmeet, fake in
                #expect(try await letsmeet.ask(Self.search).names.count == 1)
                #expect(fake.faults.isEmpty)
                let calls = [Self.search, "config show", "doctor", "place show fsq:abc"]
                for call in calls {
                    let words = call.split(separator: " ").map(String.init)
                    let outcome = try await letsmeet.run(words)
                    #expect(!outcome.output.contains(FakeFoursquare.key), "\(call)")
                    #expect(!outcome.errors.contains(FakeFoursquare.key), "\(call)")
                }
                #expect(try KeptBytes(in: letsmeet.home).find([FakeFoursquare.key]).isEmpty)
            }
        }
    }
}
