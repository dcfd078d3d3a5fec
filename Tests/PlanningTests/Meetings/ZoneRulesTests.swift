import Foundation
import Ledger
import Operations
import Planning
import Settings
import Storage
import TestKit
import Testing
import Timekeeping

/// New rules of a time zone: meetings keep their wall-clock times, and reminders move.
@Suite struct ZoneRulesTests {
    /// A home folder with a lunch in Helsinki at noon on 5 December (10:00 UTC), and its own copy
    /// of the time zone rules.
    struct House {
        let world: TestWorld
        let planner: Planner
        let folder: String

        /// Gives Helsinki the rules of another time zone.
        func install(_ zone: String) throws -> Planner {
            let target = URL(filePath: folder + "/Europe/Helsinki")
            try? FileManager.default.removeItem(at: target)
            try FileManager.default.copyItem(
                atPath: ZoneDirectory.defaultPath + "/" + zone, toPath: folder + "/Europe/Helsinki")
            return planner.reading(ZoneDirectory(path: folder))
        }

        func reminders(_ planner: Planner) async throws -> [String] {
            try await planner.outbox(kind: .reminder).rows.map {
                "\($0.to.name.prefix(4)) \($0.due.text)"
            }.sorted()
        }
    }

    private static func withHouse(_ body: (House) async throws -> Void) async throws {
        try await withTemporaryHome { world in
            let folder = world.home.path + "-zones"
            try FileManager.default.createDirectory(
                atPath: folder + "/Europe", withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            var surroundings = try world.surroundings()
            surroundings.zones = ZoneDirectory(path: folder)
            try FileManager.default.copyItem(
                atPath: ZoneDirectory.defaultPath + "/Europe/Helsinki",
                toPath: folder + "/Europe/Helsinki")
            let planner = try await Planner(surroundings)
            var request = MeetingRequest()
            request.title = "Lunch"
            request.with = ["anna@example.org"]
            request.start = "2026-12-05T12:00"
            _ = try await planner.createMeeting(request, saving: true)
            _ = try await world.deliver()
            try await body(House(world: world, planner: planner, folder: folder))
        }
    }

    @Test func `Unchanged rules move no meeting`() async throws {
        try await Self.withHouse { house in
            for _ in 0..<2 {
                let outcome = try await house.planner.followZoneRules()
                #expect(outcome.inUse == ["Europe/Helsinki"])
                #expect(outcome.changed == [])
                #expect(outcome.moved == [])
            }
        }
    }

    @Test func `New rules move meetings and reminders, and nobody is notified of a change`()
        async throws
    {
        try await Self.withHouse { house in
            _ = try await house.planner.followZoneRules()
            let planner = try house.install("Europe/Berlin")
            let outcome = try await planner.followZoneRules(isKnownOnly: true)
            #expect(outcome.changed == ["Europe/Helsinki"])
            #expect(outcome.moved.map(\.startedAt.utcText) == ["2026-12-05T10:00:00.000Z"])
            #expect(outcome.moved.map(\.startsAt.utcText) == ["2026-12-05T11:00:00.000Z"])
            let view = try await planner.meeting("Lunch")
            #expect(view.start.text == "2026-12-05T12:00:00+01:00")
            #expect(view.sequence == 0)
            #expect(
                try await house.reminders(planner) == [
                    "Olga 2026-12-04T11:00:00.000Z", "Olga 2026-12-05T10:00:00.000Z",
                    "anna 2026-12-04T11:00:00.000Z", "anna 2026-12-05T10:00:00.000Z",
                ])
            #expect(try await planner.outbox().rows.count == 4)
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
            let story = try await planner.deliveries(of: "Lunch", to: "anna").rows
            #expect(
                Set(story.filter { $0.delivery.state == .superseded }.map(\.delivery.reason))
                    == ["the rules of Europe/Helsinki changed"])
            #expect(try await planner.followZoneRules().moved == [])
        }
    }

    @Test func `Rules that were never checked are applied on request`() async throws {
        try await Self.withHouse { house in
            let planner = try house.install("Europe/Berlin")
            #expect(try await planner.followZoneRules(isKnownOnly: true).moved == [])
            let outcome = try await planner.followZoneRules()
            #expect(outcome.moved.count == 1)
            #expect(outcome.changed == ["Europe/Helsinki"])
        }
    }

    @Test func `A waiting reminder is sent at once if its new time has passed`() async throws {
        try await Self.withHouse { house in
            _ = try await house.planner.followZoneRules()
            // The reminders of the day before were sent. Those of the hour before are due at nine,
            // or at seven by the new rules.
            house.world.clock.set(try Moment.parse("2026-12-05T07:30:00Z"))
            #expect(try await house.world.deliver().count == 2)
            let planner = try house.install("Asia/Dubai")
            #expect(try await planner.followZoneRules().moved.count == 1)
            let lines = try await house.world.deliver()
            #expect(lines.map { $0["kind"] as? String } == ["reminder", "reminder"])
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
            #expect(try await planner.outbox().rows.isEmpty)
        }
    }

    @Test func `A snoozed reminder keeps its time`() async throws {
        try await Self.withHouse { house in
            _ = try await house.planner.followZoneRules()
            _ = try await house.planner.snooze(
                "Lunch", .until(try house.planner.moment("2026-12-05T11:30")), who: nil,
                saving: true)
            let planner = try house.install("Europe/Berlin")
            _ = try await planner.followZoneRules()
            #expect(
                try await house.reminders(planner).filter { $0.hasPrefix("Olga") } == [
                    "Olga 2026-12-04T11:00:00.000Z", "Olga 2026-12-05T09:30:00.000Z",
                    "Olga 2026-12-05T10:00:00.000Z",
                ])
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `A later change does not mention the change of the rules`() async throws {
        try await Self.withHouse { house in
            _ = try await house.planner.followZoneRules()
            let planner = try house.install("Europe/Berlin")
            _ = try await planner.followZoneRules()
            var edit = MeetingEdit()
            edit.place = "Inn"
            _ = try await planner.editMeeting("Lunch", edit, saving: true)
            let line = try #require(
                try await house.world.deliver(zones: ZoneDirectory(path: house.folder)).first)
            let text = line["text"] as? String ?? ""
            #expect(text.contains("Inn"))
            #expect(text.contains("12:00–13:00"))
            #expect(!text.contains("When, before"))
        }
    }

    @Test func `Meetings do not move if the rules of their time zone are missing`() async throws {
        try await Self.withHouse { house in
            _ = try await house.planner.followZoneRules()
            try FileManager.default.removeItem(atPath: house.folder + "/Europe/Helsinki")
            let planner = house.planner.reading(ZoneDirectory(path: house.folder))
            let outcome = try await planner.followZoneRules()
            #expect(outcome.missing == ["Europe/Helsinki"])
            #expect(outcome.moved == [])
        }
    }

    @Test func `The doctor names meetings that moved, and warns of outdated ones`() async throws {
        try await Self.withHouse { house in
            _ = try await house.planner.followZoneRules()
            let doctor = Doctor(
                homeOption: house.world.home.path, machine: house.world.machine,
                environment: ["TZDIR": house.folder])
            func check() async throws -> HealthCheck {
                let report = await doctor.report(version: "1")
                return try #require(report.checks.first { $0.name == "zone rules" })
            }
            #expect(
                try await check().detail == "no coming meeting was moved by new time zone rules")
            let planner = try house.install("Europe/Berlin")
            let outdated = try await check()
            #expect(outdated.status == .warning)
            #expect(outdated.detail.contains("changed since coming meetings were scheduled"))
            _ = try await planner.followZoneRules()
            let id = try await planner.meeting("Lunch").id
            #expect(
                try await check().detail
                    == "moved by new time zone rules: \(id.prefix(8)) from "
                    + "2026-12-05T10:00:00.000Z to 2026-12-05T11:00:00.000Z (Europe/Helsinki)")
        }
    }
}
