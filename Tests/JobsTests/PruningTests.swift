import Agenda
import Foundation
import Ledger
import Notifications
import Operations
import Planning
import Settings
import Storage
import TestKit
import Testing
import Timekeeping

@testable import Jobs

@Suite struct PruningTests {
    @Test func `Texts are pruned long after delivery, and everything else is kept`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var edit = ContactEdit()
            edit.name = "Anna Alm"
            edit.emails = ["anna@example.org"]
            _ = try await planner.addPerson(edit)
            var request = MeetingRequest()
            request.title = "Lunch"
            request.start = "2027-12-01T12:00"
            request.with = ["Anna Alm"]
            _ = try await planner.createMeeting(request, saving: true)
            _ = try await planner.message("Lunch", "Bring cake", to: [.invited], saving: true)
            let engine = try world.engine(planner, sinks: [ScriptedSink()])
            _ = try await engine.runOnce()
            _ = try await planner.message("Lunch", "And plates", to: [.invited], saving: true)
            #expect(try await planner.pruneLedger(TimeSpan(days: 90, seconds: 0)).texts == 0)
            world.clock.advance(bySeconds: 91 * 86_400)
            // The second message has not been delivered yet.
            #expect(try await planner.pruneLedger(TimeSpan(days: 90, seconds: 0)).texts == 1)
            #expect(try await planner.pruneLedger(TimeSpan(days: 90, seconds: 0)).texts == 0)
            let faults = try await planner.verifyLedger().faults
            #expect(faults.isEmpty)
        }
    }

    @Test func `Old tasks, imports and unconfirmed addresses are forgotten`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let (me, store) = (planner.owner.id, planner.store)
            let report = try await world.importCards([SampleCard(name: "Anna")])
            let imported = ContactImportID(text: try #require(report.importID))
            let task = LongTask(
                id: LongTaskID(text: imported.text), person: me, kind: .contacts,
                subject: "cards.vcf", queuedAt: planner.now)
            #expect(try await store.addTask(task, openMax: 1))
            try await store.endTask(task.id, as: .done, result: "", now: planner.now)
            let until = planner.now.advanced(bySeconds: 3600)
            try await store.add(
                AddressRequest(of: me, for: "a@e.org", askedAt: planner.now, until: until),
                hash: String(repeating: "a", count: 64))
            func left(_ now: Moment) async throws -> [Int] {
                _ = try await planner.pruneLedger(TimeSpan(days: 90, seconds: 0))
                return [
                    try await store.tasks(of: me, limit: 9).count,
                    try await store.contactCount(of: imported),
                    try await store.addressRequests(of: me, now: now, limit: 9).count,
                ]
            }
            let begin = planner.now
            world.clock.advance(bySeconds: 30 * 86_400)
            #expect(try await left(begin) == [1, 1, 0])
            world.clock.advance(bySeconds: 1)
            #expect(try await left(begin) == [0, 0, 0])
        }
    }

    @Test func `Runs are pruned long after they end, except the last run of each line`()
        async throws
    {
        try await withTimetable("CRON_TZ=UTC\n0 * * * * id=a tzdata check") { table in
            try await table.iterate()
            for hour in 13...16 { try await table.iterate(at: "\(hour):00:00") }
            try await table.iterate(at: "2026-12-09T12:30:00Z")
            #expect(try await table.runs("a").count == 5)
            let report = try await table.planner.pruneLedger(TimeSpan(days: 2, seconds: 0))
            #expect(report.runs == 4)
            #expect(try await table.runs("a") == ["12:00 done"])
            try await table.iterate(at: "2026-12-29T12:30:30Z")
            #expect(
                try await table.planner.pruneLedger(TimeSpan(days: 2, seconds: 0)).runs == 1)
        }
    }
}

@Suite struct PlaceRefreshTests {
    @Test func `A refresh updates places from their source and removes places that are gone`()
        async throws
    {
        try await withTemporaryHome { world in
            let first = try FakeOverpass(.elements(FakeOverpass.sample))
            defer { first.stop() }
            let planner = try await world.planner(settings: [.overpassURL: first.url])
            _ = try await planner.fetchPlaces(city: "Helsinki", radiusMeters: 3000)
            world.clock.advance(bySeconds: 86_400)

            let renamed = FakeOverpass.sample[1].replacing("Invented Park", with: "Renamed Park")
            let second = try FakeOverpass(.elements([renamed]))
            defer { second.stop() }
            let later = try await world.planner(settings: [.overpassURL: second.url])
            let report = try await later.refreshPlaces()
            #expect(report.remark.text == "1 city: 0 new, 1 updated, 2 removed")
            #expect(second.requests.first?.fields["data"]?.contains("3000") == true)
            let place = try await later.store.cataloguePlace(id: "osm:way/102")?.place
            #expect(place?.name == "Renamed Park")
            let cafe = try await later.store.cataloguePlace(id: "osm:node/101")
            #expect(cafe == nil)
        }
    }

    @Test func `A partial answer removes no places, and a refused request is a failure`()
        async throws
    {
        try await withTemporaryHome { world in
            let first = try FakeOverpass(.elements(FakeOverpass.sample))
            defer { first.stop() }
            let planner = try await world.planner(settings: [.overpassURL: first.url])
            _ = try await planner.fetchPlaces(city: "Helsinki", radiusMeters: nil)
            world.clock.advance(bySeconds: 86_400)

            let half = try FakeOverpass(
                .remark("runtime error: Query timed out", elements: [FakeOverpass.sample[1]]))
            defer { half.stop() }
            let later = try await world.planner(settings: [.overpassURL: half.url])
            _ = try? await later.refreshPlaces()
            let cafe = try await later.store.cataloguePlace(id: "osm:node/101")
            #expect(cafe != nil)

            let down = try FakeOverpass(.refusal(400, retryAfter: nil))
            defer { down.stop() }
            let last = try await world.planner(settings: [.overpassURL: down.url])
            let refusal = await refusal { _ = try await last.refreshPlaces() }
            #expect(refusal?.category == .unreachable)
        }
    }
}
