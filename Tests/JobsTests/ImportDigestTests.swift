import Agenda
import Foundation
import Planning
import Settings
import Sinks
import TestKit
import Testing
import Timekeeping

@testable import Jobs

/// The results of scheduled imports of contacts in the owner's digest.
@Suite struct ImportDigestTests {
    private static func write(_ cards: String, in folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try cards.write(toFile: folder + "/book.vcf", atomically: true, encoding: .utf8)
    }

    private static func card(_ name: String, _ lines: String...) -> String {
        SampleCard(name: name, emails: ["\(name.prefix(3).lowercased())@example.org"], uid: name)
            .text.replacing(
                "END:VCARD", with: (lines + ["END:VCARD"]).joined(separator: "\r\n"))
    }

    @Test func `New circles and remarks are in the result, one line a kind`() async throws {
        try await withTemporaryHome { world in
            let folder = world.home.path + "/cards"
            let planner = try await world.planner(settings: [.contactsFolder: folder])
            try await planner.add("Anna Alm", "alm@example.org")
            try await planner.add("Ben Berg", "berg@example.org")
            let cards = [
                Self.card("Anna Alm", "CATEGORIES:Choir"), Self.card("Ben Berg"),
                "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Cleo\r\nTEL:\(String(repeating: "1", count: 301))"
                    + "\r\nEND:VCARD\r\n",
            ]
            try Self.write(cards.joined(), in: folder)
            let run = try await planner.runJob(["contacts", "sync"], on: world.machine)
            let lines = run.detail.split(separator: "\n").map(String.init)
            #expect(lines.first == "2 new, 0 changed, 0 unchanged")
            #expect(lines.dropFirst().first == "a new circle: Choir, with 1 person")
            #expect(lines.count == 4)
            #expect(lines[2].hasPrefix("skipped: \(folder)/book.vcf, line"))
            #expect(lines[3].hasPrefix("a person called Anna Alm with another address"))
            #expect(lines[3].hasSuffix("(and 1 more of this kind)"))
        }
    }

    @Test func `The owner's next digest lists imports with remarks`() async throws {
        try await withMorning { morning in
            let folder = morning.world.home.path + "/cards"
            let planner = try await morning.world.planner(settings: [.contactsFolder: folder])
            var policy = PolicyEdit()
            policy.digest = .each(.daily)
            _ = try await planner.setPolicy(policy, of: nil, saving: true)
            try morning.go(to: "2026-12-02T01:00:00Z")
            try Self.write(Self.card("Dora Dahl", "CATEGORIES:Choir"), in: folder)
            _ = try await planner.runJob(["contacts", "sync"], on: morning.world.machine)
            _ = try await planner.runJob(["contacts", "sync"], on: morning.world.machine)
            try morning.go(to: "2026-12-02T06:00:00Z")
            _ = try await planner.planDigests(.daily, for: morning.world.clock.now)
            #expect(try await morning.send() == ["digest to Olga Owner"])
            let text = try #require(morning.sink.messages.last?.text)
            #expect(text.contains("Imported contacts:\n"))
            #expect(
                text.contains(
                    ": 1 new, 0 changed, 0 unchanged\na new circle: Choir, with 1 person"))
            #expect(!text.contains("1 unchanged"))
            // The next one does not repeat it, and would be empty.
            try morning.go(to: "2026-12-03T06:00:00Z")
            let report = try await planner.planDigests(.daily, for: morning.world.clock.now)
            #expect(report.planned == 0 && report.empty == 2)
        }
    }
}
