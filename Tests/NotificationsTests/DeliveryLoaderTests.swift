import Agenda
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

@testable import Storage

/// Facts that were read before the intent is written must still hold when it is written.
@Suite(.timeLimit(.minutes(5))) struct DeliveryLoaderTests {
    private func read(_ lunch: Lunch) async throws -> DeliveryLoader {
        let ids = try await lunch.due().map(\.id)
        return try await lunch.planner.store.read {
            try DeliveryLoader(reading: ids, by: ZoneDirectory(), in: $0)
        }
    }

    private func holds(_ loader: DeliveryLoader, _ lunch: Lunch) async throws -> Bool {
        try await lunch.planner.store.read { try loader.isCurrent(in: $0) }
    }

    @Test func `Loaded deliveries stay current when nothing or only another meeting changes`()
        async throws
    {
        try await withLunch { lunch in
            let loader = try await read(lunch)
            #expect(try await holds(loader, lunch))
            var request = MeetingRequest()
            request.title = "Dinner"
            request.with = ["Anna"]
            request.start = "2026-12-05T20:00"
            _ = try await lunch.planner.createMeeting(request, saving: true)
            #expect(try await holds(loader, lunch))
        }
    }

    @Test func `Loaded deliveries are outdated when the meeting's facts change`() async throws {
        try await withLunch { lunch in
            let loader = try await read(lunch)
            var edit = MeetingEdit()
            edit.title = "Late lunch"
            _ = try await lunch.planner.editMeeting("Lunch", edit, saving: true)
            #expect(try await !holds(loader, lunch))
        }
    }

    @Test func `Loaded deliveries are outdated when the state of one of them changes`()
        async throws
    {
        try await withLunch { lunch in
            let loader = try await read(lunch)
            let key = try await lunch.planner.outbox(to: "Anna").rows[0].key
            _ = try await lunch.planner.dropDeliveries([key])
            #expect(try await !holds(loader, lunch))
        }
    }
}
